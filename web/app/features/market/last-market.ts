import { paths } from "~/lib/paths";
import { tabKeys } from "~/lib/tab-keys";
import { keepForTab, readFromTab } from "~/lib/tab-storage";

/** Stores the market's query string in this tab, for {@link lastMarket}. */
export function noteMarket(search: string): void {
  keepForTab(tabKeys.market, search);
}

/** The market's address with the filters last used in this tab. */
export function lastMarket(): string {
  const search = readFromTab(tabKeys.market) ?? "";
  return paths.market + (search.startsWith("?") ? search : "");
}
