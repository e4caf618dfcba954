import type { components } from "~/lib/api/schema.gen";
import { amount, fromBaseUnits, plural } from "~/lib/format";
import { collectionOf } from "~/lib/registry";

type Move = components["schemas"]["Move"];
type State = components["schemas"]["MovedHolding"]["state"];

/** The decimals of the currencies that move, which the portal mints itself. */
export const decimals = 18;

/** What is closed while a chain moves, in one line. */
export const closedText = "Trading is closed while the game moves to a new chain.";

/** What a move is at, as a heading and in a sentence or two. */
export const moveTexts: Record<Move["state"], { heading: string; text: string }> = {
  frozen: { heading: "The game is moving", text: `${closedText} What is yours stays yours.` },
  snapshotted: { heading: "The game is moving", text: `${closedText} What is yours stays yours.` },
  moved: {
    heading: "The game has moved",
    text: "The game is on a new chain now. What was held on the old one is given to the same players there, each item once.",
  },
};

/** How a holding is doing, in a word or two. */
export const stateTexts: Record<State, string> = {
  claimable: "Ready to claim",
  drawn: "On its way",
  sending: "On its way",
  done: "Yours",
  foreign: "Needs help",
  failed: "Not sent",
};

/** How many holdings are in which state, as in "2 to claim, 1 on its way". */
export function summaryOf(states: State[]): string {
  const count = (...of: State[]) => states.filter((state) => of.includes(state)).length;
  const parts: [number, string][] = [
    [count("claimable"), "to claim"],
    [count("drawn", "sending"), "on the way"],
    [count("done"), "yours"],
    [count("foreign", "failed"), "for the support"],
  ];
  return parts.flatMap(([n, what]) => (n ? `${n.toLocaleString("en")} ${what}` : [])).join(", ");
}

/** What is said after a claim. */
export const claimedText = (claimed: number): string =>
  claimed ? `${plural(claimed, "item")} claimed. ${claimed === 1 ? "It is" : "They are"} on the way.` : "All of it was claimed before.";

/** The name of a collection, or of a currency. */
export const collectionName = (slug: string): string => collectionOf(slug)?.name ?? slug;

/** A number of tokens in base units, for players. */
export const quantity = (units: string, isCurrency: boolean): string =>
  isCurrency ? amount(fromBaseUnits(units, decimals)) : BigInt(units).toLocaleString("en");
