import { index, layout, prefix, type RouteConfig, route } from "@react-router/dev/routes";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { soonPages, soonPlayerPages, type SoonPage } from "./content/soon.ts";
import { chapters } from "./content/whitepaper/chapters.ts";

/** Pages that say that they open later. */
const soon = (pages: Record<string, SoonPage>) => Object.keys(pages).map((path) => route(path.slice(1), "routes/marketing/soon.tsx", { id: `soon${path}` }));

interface Text {
  path: string;
  /** Below `content`. */
  file: string;
}

/** Pages of running text in their frame. Those that nobody has written yet say so. */
const texts = (frame: string, pages: Text[]) => {
  const written = (page: Text) => existsSync(join(import.meta.dirname, "content", page.file));
  return [
    layout(
      frame,
      pages.filter(written).map(({ path, file }) => route(path, `content/${file}`)),
    ),
    ...pages.filter((page) => !written(page)).map(({ path }) => route(path, "routes/marketing/soon.tsx", { id: `soon/${path}` })),
  ];
};

/** Every address of the app. Pages under `routes/site.tsx` carry the site's header and footer; the marketplace does not. */
export default [
  layout("routes/site.tsx", [
    index("routes/marketing/home.tsx"),
    ...soon(soonPages),
    ...texts("routes/reading/whitepaper.tsx", [
      { path: "whitepaper", file: "whitepaper/index.mdx" },
      ...chapters.map(({ path, file }) => ({ path: `whitepaper/${path}`, file: `whitepaper/${file}.mdx` })),
    ]),
    ...texts("routes/reading/legal.tsx", [
      { path: "privacy-policy", file: "legal/privacy-policy.mdx" },
      { path: "cookie-policy", file: "legal/cookie-policy.mdx" },
      { path: "terms-of-use", file: "legal/terms-of-use.mdx" },
      { path: "king-of-destiny/terms-and-conditions", file: "legal/kod-terms-and-conditions.mdx" },
    ]),
    ...texts("routes/reading/support.tsx", [
      { path: "king-of-destiny/support", file: "support/kod-support.mdx" },
      { path: "king-of-destiny/support/deleteaccount", file: "support/delete-account.mdx" },
    ]),
    route("login", "routes/auth/login.tsx"),
    route("register", "routes/auth/register.tsx"),
    route("portal/login", "routes/auth/portal-login.tsx"),
    route("unauthorized-country", "routes/marketing/unauthorized-country.tsx"),
    layout("routes/portal/layout.tsx", [route("portal/my-inventory", "routes/portal/my-inventory.tsx"), ...soon(soonPlayerPages)]),
    route("*", "routes/marketing/404.tsx"),
  ]),
  ...prefix("kod-marketplace", [
    layout("routes/marketplace/layout.tsx", [
      index("routes/marketplace/browse.tsx"),
      route("marketplace/item/:contract/:tokenId", "routes/marketplace/item.tsx"),
      route("marketplace/checkout", "routes/marketplace/checkout.tsx"),
    ]),
    route("create-smart-wallet", "routes/marketplace/create-smart-wallet.tsx"),
    route("timeout", "routes/marketplace/timeout.tsx"),
    route("maintenance", "routes/marketplace/maintenance.tsx"),
  ]),
] satisfies RouteConfig;
