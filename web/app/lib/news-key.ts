import { slug } from "#brand";

/** The storage key for the ids of closed banners. It is not in storage.ts, which is among every page's first scripts. */
export const newsKeyName = `${slug}.news` as const;
