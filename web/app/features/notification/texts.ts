import type { components } from "~/lib/api/schema.gen";
import { amount } from "~/lib/format";
import { paths } from "~/lib/paths";
import { marketCurrency } from "~/lib/registry";

type Notification = components["schemas"]["Notification"];
type Said = Pick<Notification, "kind" | "name" | "quantity" | "amount"> & { search?: string | undefined };

/** What happened, in a few words. */
export function titleOf({ kind, name, quantity, search }: Said): string {
  if (kind === "alert") return quantity === 1 ? name : `${search || "A saved search"}: ${quantity.toLocaleString("en")} new matches`;
  const what = quantity > 1 ? `${quantity.toLocaleString("en")} × ${name}` : name;
  switch (kind) {
    case "sold":
      return `Sold: ${what}`;
    case "expired":
      return `Not sold in time: ${what}`;
    case "stopped":
      return `No longer for sale: ${what}`;
    case "returned":
      return `Back in your wallet: ${what}`;
    case "moved":
      return `Listing ended: ${what}`;
  }
}

/** What it means for the player, or what to do; one sentence. */
export function detailOf({ kind, name, quantity, search, amount: sum }: Said): string {
  switch (kind) {
    case "alert":
      return quantity === 1
        ? `${search || "A saved search"}: for sale at ${amount(sum)} ${marketCurrency.symbol}.`
        : `The cheapest is ${name}, at ${amount(sum)} ${marketCurrency.symbol}.`;
    case "sold":
      return sum === "0" ? "It was paid in another currency." : `You received ${amount(sum)} ${marketCurrency.symbol}.`;
    case "expired":
      return "The listing has ended. You can list it again.";
    case "stopped":
      return "It has left your wallet, or the marketplace may not take it.";
    case "moved":
      return "The game has moved to a new chain. Claim the item there to list it again.";
    case "returned":
      return `Confirm its price of ${amount(sum)} ${marketCurrency.symbol} to sell it again.`;
  }
}

/** The page of the player's listings on which it is; of an alert, the item's; after a move, where the item is claimed. */
export function pageOf({ kind, assetContractAddress, tokenId }: Pick<Notification, "kind" | "assetContractAddress" | "tokenId">): string {
  if (kind === "alert") return paths.item(assetContractAddress, tokenId);
  if (kind === "moved") return paths.move;
  const states = { sold: "", expired: "?state=ended", stopped: "?state=invalid", returned: "?state=invalid" };
  return kind === "sold" ? paths.activity : paths.listings + states[kind];
}
