import { paths } from "~/lib/paths";
import { keepForTab, keys, readFromTab } from "~/lib/storage";

/** Notes the market's filters, as they are in its address, for the way back to it. */
export function noteMarket(search: string): void {
  keepForTab(keys.market, search);
}

/** The market's address with the filters that the player last had in this tab. */
export function lastMarket(): string {
  const search = readFromTab(keys.market) ?? "";
  return paths.market + (search.startsWith("?") ? search : "");
}
