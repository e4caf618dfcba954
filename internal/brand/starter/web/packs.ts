import scene from "./art/scene.svg";

/** The kinds of pack by the kind of their drop tables: we have none. */
export const packs: Record<string, { name: string; picture?: string }> = {};

/** The picture of a pack whose kind is not known. */
export const anyPack = scene;

/** The webstore's headings for packs, which are opened on payment, and for currencies. */
export const shop = { packs: "Packs", currencies: "Coins" };

/** The nouns, in the singular, for what players burn, by kind of burn. */
export const burned: { [origin in "pack" | "piggy-bank" | "ark" | "power-pack"]?: string } = {};
