import type { ClientConfig } from "~/features/config/schema";
import { collectionName } from "~/features/market/collections";
import { currencyName } from "~/lib/currencies";
import { plural } from "~/lib/format";
import { isSameAddress } from "~/lib/token";
import type { Verified } from "../verify";
import type { Proof } from "./queries";
import type { Known } from "./steps";

/** One part of what an opening gives. */
export interface Good {
  text: string;
  /** The address of the token's picture; null for a currency, undefined as long as the configuration is not known. */
  picture: string | null | undefined;
}

const currencyText = (currency: string, amount: number) => `${amount.toLocaleString("en")} ${currencyName(currency, amount)}`;
const copiesText = (collection: string, id: string, amount: number) =>
  `${plural(amount, "copy").replace("copys", "copies")} of ${collectionName(collection)}, number ${id}`;

/** What an opening gives, in the order of the drop. */
export function goodsOf({ drop, course }: Verified, config: ClientConfig | undefined): Good[] {
  const drawn = [...course.tokens];
  return drop.gives.map(({ collection = "", token, currency, amount }) => {
    if (currency) return { text: currencyText(currency, amount), picture: null };
    const fresh = token === undefined ? drawn.shift() : undefined;
    const id = token ?? fresh?.id ?? "";
    const contract = config?.collections[collection];
    return {
      text: fresh
        ? `${fresh.picked.name} (${fresh.picked.rarity}), a new token of ${collectionName(collection)}, number ${id}`
        : copiesText(collection, id, amount),
      picture: contract && `/metadata/${contract}/${id}/image.svg`,
    };
  });
}

/** What a grant is of. */
export function grantText(
  { contract = "", tokenId = "", currency, amount }: Proof["grants"][number],
  config: ClientConfig | undefined,
): string {
  if (currency) return currencyText(currency, Number(amount));
  const slug = slugOf(contract, config);
  return slug ? copiesText(slug, tokenId, Number(amount)) : `${amount} × number ${tokenId} of the contract ${contract}`;
}

/** The slug of a contract's collection; undefined if it has none, or the configuration is not loaded yet. */
function slugOf(contract: string, config: ClientConfig | undefined): string | undefined {
  return Object.entries(config?.collections ?? {}).find(([, address]) => isSameAddress(address, contract))?.[0];
}

/** What the site knows of chains and collections. */
export const knownOf = (config: ClientConfig | undefined): Known => ({
  chains: config ? [config.gameChain, config.mainChain] : [],
  collection: collectionName,
  slug: (contract) => slugOf(contract, config),
});
