import type { ClientConfig } from "~/features/config/schema";
import { collectionName } from "~/features/market/collections";
import { kindName } from "~/lib/currencies";
import { plural } from "~/lib/format";
import type { Verified } from "../verify";

/** The contracts of the collections from which packs give, by slug, as in the public configuration. */
const contracts: Record<string, keyof ClientConfig["contracts"]> = {
  "game-items": "gameItems",
  avatars: "avatarCollection",
  "season-avatars": "seasonAvatarsCollection",
  "elder-gods": "elderGods",
  "piggy-banks": "piggyCollection",
  "piggy-soulbound": "piggySoulboundCollection",
  chests: "chests",
};

/** One part of what an opening gives. */
export interface Good {
  text: string;
  /** The address of the token's picture; null for a currency, undefined as long as the configuration is not known. */
  picture: string | null | undefined;
}

/** What an opening gives, in the order of the drop. */
export function goodsOf({ drop, receipt }: Verified, config: ClientConfig | undefined): Good[] {
  const drawn = [...receipt.outcome.tokens];
  return drop.gives.map(({ collection = "", token, currency, amount }) => {
    if (currency) return { text: `${amount.toLocaleString("en")} ${kindName(currency, amount)}`, picture: null };
    const id = token ?? drawn.shift() ?? "";
    const contract = config && contracts[collection] && config.contracts[contracts[collection]];
    return {
      text: `${token ? plural(amount, "copy").replace("copys", "copies") : "A new token"} of ${collectionName(collection)}, number ${id}`,
      picture: contract && `/metadata/${contract}/${id}/image.svg`,
    };
  });
}
