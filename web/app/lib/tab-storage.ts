import { area, browser, type Key } from "./storage";

const tab = area(() => sessionStorage);

/** Stores a value for this tab only, or removes it if null. */
export const keepForTab: (key: Key, value: string | null) => void = tab.set;

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

/** Whether a value of this tab will be found when it comes back from another site: false where storage is blocked or full. */
export const outlivesPage = (key: Key): boolean => !tab.memory.has(key);

/** Moves a value of the browser's into the memory of this tab. */
export function keepInTab(key: Key): void {
  const value = browser.get(key);
  browser.set(key, null);
  browser.memory.set(key, value);
}

/** Removes everything that the site has stored in this browser. */
export function clearAll(): void {
  for (const { memory, use } of [browser, tab]) {
    memory.clear();
    use((storage) => storage.clear());
  }
}
