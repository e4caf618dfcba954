import { area, browser, type Key } from "./storage";

const tab = area(() => sessionStorage);

/** Stores a value for this tab only. */
export const keepForTab: (key: Key, value: string) => void = tab.set;

/** Reads a value of this tab; null if absent. */
export const readFromTab = tab.get;

/** Removes a value of this tab, and returns it; null if absent. */
export function takeFromTab(key: Key): string | null {
  const value = tab.get(key);
  tab.set(key, null);
  return value;
}

/** Whether a value of the browser's will be found by the next page: false for one that is kept for this tab only. */
export const outlivesTab = (key: Key): boolean => !browser.memory.has(key);

/** Removes everything that the site has stored in this browser. */
export function clearAll(): void {
  for (const { memory, use } of [browser, tab]) {
    memory.clear();
    use((storage) => storage.clear());
  }
}
