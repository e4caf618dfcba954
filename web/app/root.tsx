import textFont from "@fontsource/alegreya-sans/files/alegreya-sans-latin-400-normal.woff2";
import displayFont from "@fontsource/league-gothic/files/league-gothic-latin-400-normal.woff2";
import { type ReactNode, useEffect } from "react";
import { isRouteErrorResponse, Links, Meta, Outlet, Scripts, ScrollRestoration } from "react-router";
import { brand } from "#brand";
import { pageMeta } from "~/components/site/page-meta";
import { Button } from "~/components/ui/button";
import { PageLoader } from "~/components/ui/loader";
import { pollFlags } from "~/features/flags/poll";
import { boot } from "~/features/session/boot";
import icon from "~art/scene-logo.svg";
import type { Route } from "./+types/root";
import stylesheet from "./styles/app.css?inline";

/**
 * The style sheet stands in the page itself: one request less before the first paint. Only the prerendered page carries
 * it; in the browser React finds it there, so it need not be in the scripts a second time.
 */
const styles = import.meta.env.SSR ? stylesheet : (document.getElementById("styles")?.textContent ?? "");

export const meta: Route.MetaFunction = () => pageMeta(brand.name, brand.description);

export const links: Route.LinksFunction = () => [
  ...[displayFont, textFont].map((href) => ({ rel: "preload", as: "font", type: "font/woff2", href, crossOrigin: "anonymous" as const })),
  { rel: "icon", href: icon, type: "image/svg+xml" },
];

export function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content={brand.themeColour} />
        <Meta />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own style sheet, fixed at build time */}
        <style id="styles" suppressHydrationWarning dangerouslySetInnerHTML={{ __html: styles }} />
        <Links />
      </head>
      <body>
        {children}
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

export default function App() {
  useEffect(boot, []);
  useEffect(pollFlags, []);
  return <Outlet />;
}

export function HydrateFallback() {
  return <PageLoader />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const text = isRouteErrorResponse(error) ? `${error.status} ${error.statusText}` : "The page stopped working. Loading it again usually helps.";
  return (
    <main className="mx-auto grid min-h-svh max-w-xl content-center gap-6 p-6">
      <h1 className="display text-4xl">Something cracked</h1>
      <p>{text}</p>
      <Button className="justify-self-start" onClick={() => location.reload()}>
        Load the page again
      </Button>
    </main>
  );
}
