import { playerNow } from "~/features/session/player";
import type { tabKeys } from "~/lib/tab-keys";
import { keepForTab, readFromTab } from "~/lib/tab-storage";

type Key = (typeof tabKeys)["burns" | "deal"];

/** Stores what the signed-in player has under way for this tab, so that a reload goes on with it. */
export function keepForPlayer(key: Key, list: readonly object[]): void {
  keepForTab(key, JSON.stringify({ player: playerNow(), list }));
}

/** What was stored for the signed-in player; nothing if it is another player's, or was not stored by this site. */
export function keptForPlayer<T extends object>(key: Key): T[] {
  try {
    const value = JSON.parse(readFromTab(key) ?? "null") as { player?: unknown; list?: unknown } | null;
    return value?.player === playerNow() && Array.isArray(value.list) ? (value.list as T[]) : [];
  } catch {
    return [];
  }
}
