import type { Burnable } from "~/features/burning/components/chooser";
import type { Amounts } from "~/features/reward/amounts";
import type { Holding } from "./queries";

/** What a holding gives when it is burned. */
export interface Contents {
  gives: Amounts;
  mark?: string;
}

/** The holdings that can be burned: those of the smart wallet that `contents` knows. */
export function burnablesOf(holdings: Holding[], contents: (holding: Holding) => Contents | undefined): Burnable[] {
  return holdings.flatMap((holding) => {
    const found = holding.wallet === "smart" ? contents(holding) : undefined;
    const { contract, tokenId, amount, metadata } = holding;
    return found ? [{ contract, tokenId, name: metadata.name, image: metadata.image, held: Number(amount), ...found }] : [];
  });
}
