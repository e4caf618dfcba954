import { paths } from "~/lib/paths";
import { keys } from "~/lib/storage";
import { keepForTab, readFromTab } from "~/lib/tab-storage";

/** Stores the market's query string in this tab, for {@link lastMarket}. */
export function noteMarket(search: string): void {
  keepForTab(keys.market, search);
}

/** The market's address with the filters last used in this tab. */
export function lastMarket(): string {
  const search = readFromTab(keys.market) ?? "";
  return paths.market + (search.startsWith("?") ? search : "");
}
