import { slug } from "#brand";
/** The keys of the values that are stored for one tab only. Apart from storage.ts, which is among every page's first scripts. */
export const tabKeys = {
  /** The pending sign-in at another site, and where to go after it. */
  attempt: `${slug}.attempt`,
  /** What a visitor wants to hold, until they have signed in. */
  choice: `${slug}.choice`,
  /** The market's filters, as in its address. */
  market: `${slug}.market`,
  /** Where the reader of the market's list was. */
  place: `${slug}.place`,
  /** The burns that were sent, for a reload to find. */
  burns: `${slug}.burns`,
  /** The seller's operation that is under way, for a reload to find. */
  deal: `${slug}.deal`,
  /** The code that was requested by mail last, for a reload to ask for it. */
  code: `${slug}.code`,
} as const;
