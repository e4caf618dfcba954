/** The keys of the values that are stored for one tab only. Apart from storage.ts, which is among every page's first scripts. */
export const tabKeys = {
  /** The pending sign-in at another site, and where to go after it. */
  attempt: "pantheon.attempt",
  /** What a visitor wants to hold, until they have signed in. */
  choice: "pantheon.choice",
  /** The market's filters, as in its address. */
  market: "pantheon.market",
  /** Where the reader of the market's list was. */
  place: "pantheon.place",
  /** The burns that were sent, for a reload to find. */
  burns: "pantheon.burns",
  /** The seller's operation that is under way, for a reload to find. */
  deal: "pantheon.deal",
  /** The code that was requested by mail last, for a reload to ask for it. */
  code: "pantheon.code",
} as const;
