import { createStore } from "~/lib/store";

/** The chains of which this page has shown the move, so that no banner leads there again. */
export const seenMoves = createStore<{ chains: number[] }>({ chains: [] });
