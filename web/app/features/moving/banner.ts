import { useEffect, useState } from "react";
import { type Flags, flags } from "~/features/flags/store";
import { session } from "~/features/session/store";
import { json } from "~/lib/api/json";
import type { components } from "~/lib/api/schema.gen";
import { report } from "~/lib/report";
import { keys, read } from "~/lib/storage";
import { useStore } from "~/lib/store";
import { seenMoves } from "./seen";
import { closedText } from "./texts";

export interface MoveBanner {
  /** By which a browser remembers that it was closed. */
  id: string;
  title: string;
  /** The words of the link to the page of moves. */
  link: string;
  chainId: number;
}

/** Whether something is off whatever its rules say, as while a chain moves. Every page knows it, so that visitors need not ask. */
const isShut = ({ flags }: Flags): boolean => Object.values(flags).some(({ reason }) => reason === "DISABLED");

async function loadBanner(shut: boolean, isPlayer: boolean): Promise<MoveBanner | undefined> {
  const { moves } = await json<components["schemas"]["Moves"]>("/api/moves");
  const open = moves.find(({ state }) => state !== "moved");
  if (shut && open) {
    const { chainId, frozenAt } = open; // one that is cancelled may begin again
    return { id: `move-${chainId}-${frozenAt}`, title: closedText, link: "What this means", chainId };
  }
  if (!isPlayer) return undefined;
  const headers = { Authorization: read(keys.token) ?? "" };
  for (const { chainId } of moves.filter(({ state }) => state === "moved")) {
    const { claimable } = await json<components["schemas"]["MovedHoldings"]>(`/api/auth/moves/${chainId}`, { headers });
    if (claimable) return { id: `move-${chainId}-claim`, title: "You have items to claim on the new chain.", link: "Claim them", chainId };
  }
  return undefined;
}

/**
 * The banner of a chain that moves, and after the move of what the player can claim. Visitors ask the server only while something is
 * shut.
 */
export function useMoveBanner(): MoveBanner | undefined {
  const isPlayer = useStore(session, (s) => s.isAuthenticated);
  const shut = useStore(flags, isShut);
  const seen = useStore(seenMoves, (s) => s.chains);
  const [banner, setBanner] = useState<MoveBanner>();
  useEffect(() => {
    setBanner(undefined);
    if (!shut && !isPlayer) return;
    let isOver = false;
    loadBanner(shut, isPlayer).then(
      (loaded) => isOver || setBanner(loaded),
      (error: unknown) => report("moves: not loaded", error),
    );
    return () => {
      isOver = true;
    };
  }, [isPlayer, shut]);
  return banner && !seen.includes(banner.chainId) ? banner : undefined;
}
