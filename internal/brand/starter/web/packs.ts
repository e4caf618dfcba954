import scene from "./art/scene.svg";

/** The kinds of pack by the kind of their drop tables: we have none. */
export const packs: Record<string, { name: string; picture?: string }> = {};

/** The picture of a pack whose kind is not known. */
export const anyPack = scene;

/** What the webstore calls its packs, which are opened when they are paid for, and its currencies. */
export const shop = { packs: "Packs", currencies: "Coins" };

/** What one of the things is called that players burn, by what burning it is. */
export const burned: { [origin in "pack" | "piggy-bank" | "ark" | "power-pack"]?: string } = {};
