import { anyPack, packs } from "#brand/packs";

/** The name of a kind of pack; "" is a kind that is not known. */
export const packName = (kind: string): string => packs[kind]?.name ?? (kind || "Pack");

/** The picture of a kind of pack that is sold in the shop, 680 × 740. */
export const shopPicture = (kind: string): string => packs[kind]?.picture ?? anyPack;
