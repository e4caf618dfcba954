import textFont from "@fontsource/alegreya-sans/files/alegreya-sans-latin-400-normal.woff2";
import displayFont from "@fontsource/league-gothic/files/league-gothic-latin-400-normal.woff2";
import { type ReactNode, useEffect, useState } from "react";
import { isRouteErrorResponse, Links, Meta, Outlet, Scripts, ScrollRestoration, useMatches } from "react-router";
import { brand } from "#brand";
import { origin, pageMeta } from "~/components/site/page-meta";
import { Button } from "~/components/ui/button";
import { PageLoader } from "~/components/ui/loader";
import { boot } from "~/features/session/boot";
import { registryId, registryText } from "~/lib/registry-text";
import { report, watchErrors } from "~/lib/report";
import type { Route } from "./+types/root";
import stylesheet from "./styles/app.css?inline";
import stylesheetAddress from "./styles/app.css?url";

/**
 * The styles of what a page shows stand in the page itself, so that its first paint waits for no second request; the build
 * leaves the others out of it (scripts/finish-build.ts), which entry.client.tsx loads. In the browser React finds them in
 * the page: they need not be in the scripts a second time.
 */
const styles = import.meta.env.SSR ? stylesheet : (document.getElementById("styles")?.textContent ?? "");

export const meta: Route.MetaFunction = () => pageMeta(brand.name, brand.description);

export const links: Route.LinksFunction = () => [
  ...[displayFont, textFont].map((href) => ({ rel: "preload", as: "font", type: "font/woff2", href, crossOrigin: "anonymous" as const })),
  { rel: "icon", href: "/icon.svg", type: "image/svg+xml" },
  { rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
  { rel: "manifest", href: "/manifest.webmanifest" },
];

/** The one address of the page at hand. Pages of an item get theirs from the server, others have none. */
function Canonical() {
  const match = useMatches().at(-1);
  if (!match || match.id === "root" || Object.keys(match.params).length > 0) return null;
  const address = origin + match.pathname.replace(/(.)\/$/, "$1");
  return (
    <>
      <link rel="canonical" href={address} />
      {import.meta.env.SSR && <meta property="og:url" content={address} />}
    </>
  );
}

export function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content={brand.themeColour} />
        <Meta />
        <Canonical />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own style sheet, fixed at build time */}
        <style id="styles" suppressHydrationWarning dangerouslySetInnerHTML={{ __html: styles }} />
        {/* Loaded without haste and not applied: no paint waits for it. */}
        {import.meta.env.SSR && <link id="all-styles" rel="stylesheet" media="not all" href={stylesheetAddress} />}
        {/* Nothing is painted of a page of which only a part has been read: it would jump (HTML, link type "expect"). */}
        {import.meta.env.SSR && <link rel="expect" href="#page-end" blocking="render" />}
        <Links />
      </head>
      <body>
        {children}
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: data, escaped */}
        <script id={registryId} type="application/json" suppressHydrationWarning dangerouslySetInnerHTML={{ __html: registryText }} />
        {import.meta.env.SSR && <template id="page-end" />}
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

export default function App() {
  const [instead, setInstead] = useState<ReactNode>(null);
  useEffect(() => {
    watchErrors();
    boot();
    // Not among the first scripts: no page waits for it.
    import("./start").then(({ start }) => start(setInstead)).catch((error: unknown) => report("the site did not start whole", error));
  }, []);
  return instead ?? <Outlet />;
}

export function HydrateFallback() {
  return <PageLoader />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  useEffect(() => {
    if (!isRouteErrorResponse(error)) report("page stopped", error);
  }, [error]);
  const text = isRouteErrorResponse(error)
    ? `${error.status} ${error.statusText}`
    : "This page stopped working. Loading it again usually helps.";
  return (
    <main className="mx-auto grid min-h-svh max-w-xl content-center gap-6 p-6">
      <h1 className="display text-4xl">Something went wrong</h1>
      <p>{text}</p>
      <Button className="justify-self-start" onClick={() => location.reload()}>
        Load the page again
      </Button>
    </main>
  );
}
