import silver from "~art/pack-avatar.svg";
import bronze from "~art/pack-general.svg";
import gold from "~art/pack-god.svg";

const names: Record<string, string> = {
  general: "General pack",
  avatar: "Avatar pack",
  god: "God pack",
  "destiny-bronze": "Bronze destiny pack",
  "destiny-silver": "Silver destiny pack",
  "destiny-gold": "Gold destiny pack",
};

/** The name of a kind of pack; "" is a kind that is not known. */
export const packName = (kind: string): string => names[kind] ?? (kind || "Pack");

const pictures: Record<string, string> = { "destiny-bronze": bronze, "destiny-silver": silver, "destiny-gold": gold };

/** The picture of a kind of pack that is sold in the shop, 680 × 740. */
export const shopPicture = (kind: string): string => pictures[kind] ?? bronze;
