import { slug } from "#brand";

/** Under what the ids of closed announcements are stored. Apart from storage.ts, which is among every page's first scripts. */
export const newsKeyName = `${slug}.news` as const;
