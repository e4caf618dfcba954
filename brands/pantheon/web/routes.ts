/** The addresses of the brand's own pages, and the files behind them, relative to the site's `app`. */
import { layout, type RouteConfigEntry, route } from "@react-router/dev/routes";
import { chapters } from "./content/whitepaper/chapters.ts";
import { slug } from "./index.ts";

const page = (path: string, file: string) => route(path, `../brand/pages/${file}.tsx`);
/** A page of running text. */
const text = (path: string, file: string) => route(path, `../brand/content/${file}.mdx`);

/** Pages within the site's header and footer. */
export const pages: RouteConfigEntry[] = [
  page("nfts", "collections/nfts"),
  page("elder-gods", "collections/elder-gods"),
  page("infinipass", "collections/infinipass"),
  page("shipwright", "collections/shipwright"),
  page("vault/claim", "collections/god-vaults"),
  page("webstore", "collections/webstore"),
  page("our-team", "collections/our-team"),
  page("kod-leaderboard", "collections/kod-leaderboard"),
  page("mount-olympus/leaderboard", "collections/mount-olympus-leaderboard"),
  page("games", "games/overview"),
  page("king-of-destiny", "games/king-of-destiny"),
  page("king-of-destiny/pre-register", "games/pre-register"),
  page("king-of-destiny/support", "games/kod-support"),
  page("infinimerge", "games/infinimerge"),
  page("immortal-siege", "games/immortal-siege"),
  page("mount-olympus", "games/mount-olympus"),
  page("olympus-journey", "games/olympus-journey"),
  page(`${slug}-universe`, "games/universe"),
  layout("../brand/pages/whitepaper.tsx", [
    text("whitepaper", "whitepaper/index"),
    ...chapters.map(({ path, file }) => text(`whitepaper/${path}`, `whitepaper/${file}`)),
  ]),
];

/** Pages of what is the player's own. */
export const portal: RouteConfigEntry[] = [page("portal/power-pack", "portal/power-pack")];

/** Legal texts. */
export const legal: RouteConfigEntry[] = [
  text("privacy-policy", "legal/privacy-policy"),
  text("cookie-policy", "legal/cookie-policy"),
  text("terms-of-use", "legal/terms-of-use"),
  text("king-of-destiny/terms-and-conditions", "legal/kod-terms-and-conditions"),
];

/** Texts of the support. */
export const support: RouteConfigEntry[] = [text("king-of-destiny/support/deleteaccount", "support/delete-account")];
