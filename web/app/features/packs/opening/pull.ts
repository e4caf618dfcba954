import type { Rarity } from "~/components/ui/rarity";

/** A pack, as it is shown. */
export interface Pack {
  kind: "general" | "avatar" | "god";
  name: string;
  image: string;
}

/** Whether the player has all that was drawn, it is on its way, or a part of it could not be given. */
export type Given = "all" | "coming" | "failed";

/** What an opening gave, as the server drew it. */
export interface Pull {
  openingId: string;
  contract: string;
  tokenId: string;
  name: string;
  /** Its picture; empty without one. */
  image: string;
  /** The code of the currency that it is; absent for a token. */
  currency?: string | undefined;
  rarity: Rarity;
  /** Whether the player had none before. */
  isNew: boolean;
  /** How many the player has now; 0 for a currency. */
  owned: number;
  /** What came with it: "25 fate". */
  alsoGiven?: string | undefined;
}
