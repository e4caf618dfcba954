/** React Router's manifest of the routes, as far as it is used here. */
interface Manifest {
  routes: Record<string, { module: string; imports?: string[] }>;
}

/**
 * Preloads the code of all routes whose file is in one of the folders, without running it. A preloaded page can be
 * opened, and show what is wrong, while the server is down; otherwise the router would reload the site, which would
 * show the browser's own error page.
 */
export function preloadRoutes(...folders: string[]): void {
  const manifest = (window as { __reactRouterManifest?: Manifest }).__reactRouterManifest;
  const files = new Set<string>();
  for (const [id, { module, imports = [] }] of Object.entries(manifest?.routes ?? {})) {
    if (folders.some((folder) => id.startsWith(`routes/${folder}/`))) for (const file of [module, ...imports]) files.add(file);
  }
  for (const file of files) {
    const link = document.createElement("link");
    link.rel = "modulepreload";
    link.href = file;
    document.head.append(link);
  }
}
