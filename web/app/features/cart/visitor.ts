import type { components } from "~/lib/api/schema.gen";
import { createStore } from "~/lib/store";
import { tabKeys } from "~/lib/tab-keys";
import { keepForTab, takeFromTab } from "~/lib/tab-storage";

type Listing = components["schemas"]["Listing"];

/** Units of a listing to hold, and what to show of them. */
export interface Wanted {
  listingId: string;
  assetContractAddress: string;
  name: string;
  image: string;
  /** The price of one, decimal. */
  price: string;
  count: number;
}

/** One unit of a listing. */
export const unitOf = ({ listingId, assetContractAddress, metadata: { name, image }, price }: Listing): Wanted => ({
  listingId,
  assetContractAddress,
  name,
  image,
  price,
  count: 1,
});

/** What a visitor wants to hold, while the page asks them to sign in for it. */
export const signInQuestion = createStore<{ wanted: Wanted | null }>({ wanted: null });

/** How long a choice outlives the visit to the login, in milliseconds. */
const keepFor = 30 * 60_000;

/** Keeps a visitor's choice in this tab until they have signed in. It is not in the address, where others could set it. */
export function keepChoice(wanted: Wanted): void {
  keepForTab(tabKeys.choice, JSON.stringify({ wanted, at: Date.now() }));
}

/** Removes the choice made before signing in, and returns it; undefined if there is none or it is too old. */
export function takeChoice(): Wanted | undefined {
  try {
    const { wanted, at } = JSON.parse(takeFromTab(tabKeys.choice) ?? "{}") as { wanted?: Wanted; at?: number };
    return typeof at === "number" && Math.abs(Date.now() - at) < keepFor ? wanted : undefined;
  } catch {
    return undefined;
  }
}
