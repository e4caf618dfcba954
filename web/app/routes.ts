import { index, layout, prefix, type RouteConfig, route } from "@react-router/dev/routes";
import { soonPages } from "./content/soon.ts";

/** Every address of the app. Pages under `routes/site.tsx` carry the site's header and footer; the marketplace does not. */
export default [
  layout("routes/site.tsx", [
    index("routes/marketing/home.tsx"),
    ...Object.keys(soonPages).map((path) => route(path, "routes/marketing/soon.tsx", { id: `soon${path}` })),
    route("login", "routes/auth/login.tsx"),
    route("register", "routes/auth/register.tsx"),
    route("portal/login", "routes/auth/portal-login.tsx"),
    route("unauthorized-country", "routes/marketing/unauthorized-country.tsx"),
    layout("routes/portal/layout.tsx", prefix("portal", [route("my-inventory", "routes/portal/my-inventory.tsx")])),
    route("404", "routes/marketing/404.tsx"),
    route("*", "routes/marketing/404.tsx", { id: "not-found" }),
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
