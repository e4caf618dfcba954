import { index, layout, prefix, type RouteConfig, route } from "@react-router/dev/routes";
import { legal, pages, portal, support } from "../brand/routes.ts";

/** Pages for those who build the site: in the development server only. */
const development =
  process.env.NODE_ENV === "development" ? [route("dev/ui", "routes/dev/ui.tsx"), route("dev/opening", "routes/dev/opening.tsx")] : [];

/** Every address of the app. Pages under `routes/site.tsx` carry the site's header and footer; the marketplace does not. */
export default [
  layout("routes/site.tsx", [
    index("routes/marketing/home.tsx"),
    ...pages,
    route("webstore/products/:id", "routes/webstore/product.tsx"),
    route("packs/odds", "routes/packs/odds.tsx"),
    route("packs/openings/:id", "routes/packs/opening.tsx"),
    route("news", "routes/marketing/news.tsx"),
    route("move", "routes/marketing/move.tsx"),
    route("api-doc", "routes/marketing/api-doc.tsx"),
    route("getuserinfo", "routes/marketing/to-the-shop.tsx"),
    layout("routes/reading/legal.tsx", [...legal, route("packs/verify", "content/packs/verify.mdx")]),
    layout("routes/reading/support.tsx", support),
    route("login", "routes/auth/login.tsx"),
    route("register", "routes/auth/register.tsx"),
    route("portal/login", "routes/auth/portal-login.tsx"),
    route("forgot-password", "routes/auth/forgot-password.tsx"),
    route("reset-password", "routes/auth/reset-password.tsx"),
    route("new-password", "routes/auth/new-password.tsx"),
    route("portal/withdrawals/cancel", "routes/portal/cancel-withdrawal.tsx"),
    route("portal/not-me", "routes/portal/not-me.tsx"),
    route("auth/callback/twitter", "routes/auth/twitter.tsx"),
    route("unauthorized-country", "routes/marketing/unauthorized-country.tsx"),
    layout("routes/portal/layout.tsx", [
      route("portal/my-inventory", "routes/portal/my-inventory.tsx"),
      route("portal/money", "routes/portal/money.tsx"),
      route("portal/sell", "routes/portal/sell.tsx"),
      route("portal/orders/:orderId", "routes/portal/receipt.tsx"),
      route("portal/listings", "routes/portal/listings.tsx"),
      route("portal/watchlist", "routes/portal/watchlist.tsx"),
      route("portal/notifications", "routes/portal/notifications.tsx"),
      route("portal/my-immortals", "routes/portal/my-immortals.tsx"),
      ...portal,
      route("portal/my-games", "routes/portal/my-games.tsx"),
      route("portal/edit/activity", "routes/portal/activity.tsx"),
      route("portal/edit/achievements", "routes/portal/achievements.tsx"),
      route("shipwright/account/followers", "routes/portal/followers.tsx"),
      route("shipwright/account/arks", "routes/portal/arks.tsx"),
      route("shipwright/account/tokens", "routes/portal/tokens.tsx"),
      route("portal/edit", "routes/portal/edit.tsx"),
      route("webstore/orders", "routes/webstore/orders.tsx"),
      route("webstore/orders/:id", "routes/webstore/order.tsx"),
    ]),
    ...development,
    route("*", "routes/marketing/404.tsx"),
  ]),
  ...prefix("kod-marketplace", [
    layout("routes/marketplace/layout.tsx", [
      index("routes/marketplace/browse.tsx"),
      route("marketplace/item/:contract/:tokenId", "routes/marketplace/item.tsx"),
      route("marketplace/checkout", "routes/marketplace/checkout.tsx"),
      route("packs", "routes/marketplace/packs.tsx"),
    ]),
    route("create-smart-wallet", "routes/marketplace/create-smart-wallet.tsx"),
    route("timeout", "routes/marketplace/timeout.tsx"),
    route("maintenance", "routes/marketplace/maintenance.tsx"),
  ]),
] satisfies RouteConfig;
