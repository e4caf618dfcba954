import { href } from "react-router";

/** The addresses of the brand's pages to which the site itself leads. `web/app/lib/paths.ts` says which every brand has. */
export const roles = {
  /** Where players write to the studio. */
  support: href("/king-of-destiny/support"),
  /** What deleting an account means, and the form that does it. */
  deleteAccount: href("/king-of-destiny/support/deleteaccount"),
  /** What is served in every country, besides the deletion of accounts: the legal texts. */
  legal: [
    href("/privacy-policy"),
    href("/cookie-policy"),
    href("/terms-of-use"),
    href("/king-of-destiny/terms-and-conditions"),
  ] as string[],
  terms: href("/terms-of-use"),
  privacy: href("/privacy-policy"),
  /** The terms under which packs are opened. */
  packTerms: href("/king-of-destiny/terms-and-conditions"),
  webstore: href("/webstore"),
  leaderboard: href("/kod-leaderboard"),
  /** The page that tells what a collection's tokens are for, by the collection's kind. */
  immortalSiege: href("/immortal-siege"),
  shipwright: href("/shipwright"),
  /** The player's power packs. */
  powerPacks: href("/portal/power-pack"),
} as const;
