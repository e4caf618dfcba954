import { newsKeyName } from "~/lib/news-key";
import { read, write } from "~/lib/storage";

/** The maximum number of stored ids. */
const maxIds = 50;

/** The ids of the banners that were closed in this browser, oldest first. */
export function closedBanners(): string[] {
  try {
    const ids: unknown = JSON.parse(read(newsKeyName) ?? "[]");
    return Array.isArray(ids) ? ids.filter((id): id is string => typeof id === "string") : [];
  } catch {
    return [];
  }
}

/** Stores that a banner was closed. */
export const storeClosed = (id: string) => write(newsKeyName, JSON.stringify([...closedBanners(), id].slice(-maxIds)));
