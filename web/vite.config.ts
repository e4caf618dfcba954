import { fileURLToPath } from "node:url";
import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin } from "vite";
import { content } from "./scripts/content.ts";
import { keptPage } from "./scripts/kept-page.ts";
import { monitoringWorker } from "./scripts/monitoring-worker.ts";

/**
 * React Router's package resolves to its development build everywhere; its production build, which lies beside it, is
 * the same without the checks and warnings for developers.
 */
const router = (file: string) => fileURLToPath(import.meta.resolve("react-router").replace(/\/dist\/.*/, `/dist/production/${file}.mjs`));

/**
 * Dynamic imports stay what they are: there are no style sheets to load with them, and nothing is preloaded, so Vite's
 * helper for both would be dead weight on every page.
 */
const plainDynamicImports: Plugin = {
  name: "plain-dynamic-imports",
  enforce: "pre",
  load: (id) => (id === "\0vite/preload-helper.js" ? "export const __vitePreload = (load) => load();" : null),
};

/** What every page needs, or nearly every one: in one file it is smaller than in several. */
const base = new RegExp(
  [
    "/node_modules/(react|react-dom|scheduler|react-router)/",
    "/app/(root|routes/site|routes/site/\\w+)\\.tsx",
    "/app/lib/(cn|paths|store|storage|report|deferred)\\.tsx?",
    "/features/(session|flags)/(store|boot)\\.",
    "/brand/(index|mark)\\.",
    "/components/(site/(page-meta|page-hero|section)|ui/(button|spinner|link|icon|menu|loader))\\.",
    "preload-helper|rolldown.runtime",
  ].join("|"),
);
/** Where the server runs while the pages are developed. */
const server = "127.0.0.1:8080";

export default defineConfig(({ command }) => ({
  plugins: [tailwindcss(), content(), keptPage(), monitoringWorker(), reactRouter(), plainDynamicImports],
  // Icons and pictures for shared links are the brand's.
  publicDir: "brand/public",
  resolve: {
    tsconfigPaths: true,
    alias:
      command === "build"
        ? [
            { find: /^react-router$/, replacement: router("index") },
            { find: /^react-router\/dom$/, replacement: router("dom-export") },
          ]
        : [],
  },
  build: {
    // Pictures stay files of their own: they are cached apart from the page and never block it.
    assetsInlineLimit: 0,
    modulePreload: false,
    target: "es2023",
  },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              groups: [{ name: "base", test: base }],
            },
          },
        },
      },
    },
  },
  server: {
    host: "127.0.0.1",
    proxy: { "/api": `http://${server}`, "/metadata": `http://${server}`, "/client": { target: `ws://${server}`, ws: true } },
  },
}));
