import silver from "./art/pack-avatar.svg";
import bronze from "./art/pack-general.svg";
import gold from "./art/pack-god.svg";

/** The kinds of pack by the kind of their drop tables: their names, and the pictures of those that are sold in the shop, 680 × 740. */
export const packs: Record<string, { name: string; picture?: string }> = {
  general: { name: "General pack" },
  avatar: { name: "Avatar pack" },
  god: { name: "God pack" },
  "destiny-bronze": { name: "Bronze destiny pack", picture: bronze },
  "destiny-silver": { name: "Silver destiny pack", picture: silver },
  "destiny-gold": { name: "Gold destiny pack", picture: gold },
};

/** The picture of a pack whose kind is not known. */
export const anyPack = bronze;

/** The webstore's headings for packs, which are opened on payment, and for currencies. */
export const shop = { packs: "Destiny packs", currencies: "InfiniGold and nectar" };

/** The nouns, in the singular, for what players burn, by kind of burn. */
export const burned: { [origin in "pack" | "piggy-bank" | "ark" | "power-pack"]?: string } = {
  pack: "pack",
  "piggy-bank": "piggy bank",
  ark: "ark",
  "power-pack": "power pack",
};
