/** The addresses of our own pages, and the files behind them, relative to the site's `app`. */
import { type RouteConfigEntry, route } from "@react-router/dev/routes";

/** Pages within the site's header and footer. */
export const pages: RouteConfigEntry[] = [
  route("night-express", "../brand/pages/night-express.tsx"),
  route("help", "../brand/pages/help.tsx"),
];

/** Pages of what is the player's own. */
export const portal: RouteConfigEntry[] = [];

/** Legal texts. */
export const legal: RouteConfigEntry[] = [
  route("privacy-policy", "../brand/content/legal/privacy-policy.mdx"),
  route("terms-of-use", "../brand/content/legal/terms-of-use.mdx"),
];

/** Texts of the support. */
export const support: RouteConfigEntry[] = [route("help/delete-account", "../brand/content/support/delete-account.mdx")];
