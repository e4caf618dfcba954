import { href } from "react-router";
import { slug } from "./index.ts";

/** The addresses of the brand's pages to which only the brand leads; `roles.ts` has the others. */
export const pages = {
  kingOfDestiny: href("/king-of-destiny"),
  preRegister: href("/king-of-destiny/pre-register"),
  infiniMerge: href("/infinimerge"),
  mountOlympus: href("/mount-olympus"),
  mountOlympusLeaderboard: href("/mount-olympus/leaderboard"),
  olympusJourney: href("/olympus-journey"),
  universe: href(`/${slug}-universe`),
  games: href("/games"),
  collections: href("/nfts"),
  elderGods: href("/elder-gods"),
  infiniPass: href("/infinipass"),
  godVaults: href("/vault/claim"),
  team: href("/our-team"),
  whitepaper: href("/whitepaper"),
  cookies: href("/cookie-policy"),
} as const;
