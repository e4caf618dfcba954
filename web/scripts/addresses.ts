import type { RouteConfigEntry } from "@react-router/dev/routes";

/** The address patterns of all pages below the given routes, such as `/games` or `/item/:id`, without the catch-all. */
export function addresses(routes: readonly RouteConfigEntry[], under = ""): string[] {
  return routes
    .flatMap((route) => {
      const address = [under, route.path].filter(Boolean).join("/");
      return route.children ? addresses(route.children, address) : [`/${address}`];
    })
    .filter((pattern) => !pattern.includes("*"))
    .sort();
}

/** Whether one of the patterns matches the path. */
export function leadsSomewhere(patterns: readonly string[], path: string): boolean {
  const segments = path.split("/");
  return patterns.some((pattern) => {
    const wanted = pattern.split("/");
    return (
      wanted.length === segments.length &&
      wanted.every((segment, i) => (segment.startsWith(":") ? segments[i] !== "" : segment === segments[i]))
    );
  });
}
