import { href } from "react-router";

/** The pages to which the site itself leads; packTerms, webstore and leaderboard too, where there are any. */
export const roles = {
  support: href("/help"),
  deleteAccount: href("/help/delete-account"),
  /** What is served in every country: the legal texts. */
  legal: [href("/terms-of-use"), href("/privacy-policy")] as string[],
  terms: href("/terms-of-use"),
  privacy: href("/privacy-policy"),
} as const;
