import { index, layout, prefix, type RouteConfig, route } from "@react-router/dev/routes";
import { slug } from "../brand/index.ts";
import { chapters } from "./content/whitepaper/chapters.ts";

/** A page of running text; `file` is below `content`. */
const text = (path: string, file: string) => route(path, `content/${file}.mdx`);

/** Pages for those who build the site: in the development server only. */
const development =
  process.env.NODE_ENV === "development" ? [route("dev/ui", "routes/dev/ui.tsx"), route("dev/opening", "routes/dev/opening.tsx")] : [];

/** Every address of the app. Pages under `routes/site.tsx` carry the site's header and footer; the marketplace does not. */
export default [
  layout("routes/site.tsx", [
    index("routes/marketing/home.tsx"),
    route("nfts", "routes/marketing/collections/nfts.tsx"),
    route("elder-gods", "routes/marketing/collections/elder-gods.tsx"),
    route("infinipass", "routes/marketing/collections/infinipass.tsx"),
    route("shipwright", "routes/marketing/collections/shipwright.tsx"),
    route("vault/claim", "routes/marketing/collections/god-vaults.tsx"),
    route("webstore", "routes/marketing/collections/webstore.tsx"),
    route("webstore/products/:id", "routes/webstore/product.tsx"),
    route("our-team", "routes/marketing/collections/our-team.tsx"),
    route("kod-leaderboard", "routes/marketing/collections/kod-leaderboard.tsx"),
    route("mount-olympus/leaderboard", "routes/marketing/collections/mount-olympus-leaderboard.tsx"),
    route("games", "routes/marketing/games/overview.tsx"),
    route("king-of-destiny", "routes/marketing/games/king-of-destiny.tsx"),
    route("king-of-destiny/pre-register", "routes/marketing/games/pre-register.tsx"),
    route("king-of-destiny/support", "routes/marketing/games/kod-support.tsx"),
    route("infinimerge", "routes/marketing/games/infinimerge.tsx"),
    route("immortal-siege", "routes/marketing/games/immortal-siege.tsx"),
    route("mount-olympus", "routes/marketing/games/mount-olympus.tsx"),
    route("olympus-journey", "routes/marketing/games/olympus-journey.tsx"),
    route(`${slug}-universe`, "routes/marketing/games/universe.tsx"),
    route("packs/odds", "routes/packs/odds.tsx"),
    route("packs/openings/:id", "routes/packs/opening.tsx"),
    route("api-doc", "routes/marketing/api-doc.tsx"),
    route("getuserinfo", "routes/marketing/to-the-shop.tsx"),
    layout("routes/reading/whitepaper.tsx", [
      text("whitepaper", "whitepaper/index"),
      ...chapters.map(({ path, file }) => text(`whitepaper/${path}`, `whitepaper/${file}`)),
    ]),
    layout("routes/reading/legal.tsx", [
      text("privacy-policy", "legal/privacy-policy"),
      text("cookie-policy", "legal/cookie-policy"),
      text("terms-of-use", "legal/terms-of-use"),
      text("king-of-destiny/terms-and-conditions", "legal/kod-terms-and-conditions"),
      text("packs/verify", "packs/verify"),
    ]),
    layout("routes/reading/support.tsx", [text("king-of-destiny/support/deleteaccount", "support/delete-account")]),
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
      route("portal/power-pack", "routes/portal/power-pack.tsx"),
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
