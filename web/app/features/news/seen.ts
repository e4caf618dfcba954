import { newsKeyName } from "~/lib/news-key";
import { read, write } from "~/lib/storage";

/** The most ids that are kept. */
const most = 50;

/** The ids of the banners that this browser has closed, the oldest first. */
export function seenNews(): string[] {
  try {
    const ids: unknown = JSON.parse(read(newsKeyName) ?? "[]");
    return Array.isArray(ids) ? ids.filter((id): id is string => typeof id === "string") : [];
  } catch {
    return [];
  }
}

/** Stores that the reader has closed a banner. */
export const noteClosed = (id: string) => write(newsKeyName, JSON.stringify([...seenNews(), id].slice(-most)));
