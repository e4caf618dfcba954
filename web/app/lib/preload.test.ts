import { afterEach, expect, it, vi } from "vitest";
import { preloadRoutes } from "./preload";

afterEach(() => {
  vi.unstubAllGlobals();
  document.head.replaceChildren();
});

const preloaded = () => [...document.querySelectorAll<HTMLLinkElement>("link[rel=modulepreload]")].map((link) => link.getAttribute("href"));

it("loads the code of a folder's routes, each file once", () => {
  vi.stubGlobal("__reactRouterManifest", {
    routes: {
      root: { module: "/root.js" },
      "routes/marketplace/item": { module: "/item.js", imports: ["/shared.js", "/price.js"] },
      "routes/marketplace/timeout": { module: "/timeout.js", imports: ["/shared.js"] },
      "routes/marketing/home": { module: "/home.js", imports: [] },
    },
  });
  preloadRoutes("marketplace", "portal");
  expect(preloaded()).toEqual(["/item.js", "/shared.js", "/price.js", "/timeout.js"]);
});

it("does nothing where the build tells nothing", () => {
  preloadRoutes("marketplace");
  expect(preloaded()).toEqual([]);
});
