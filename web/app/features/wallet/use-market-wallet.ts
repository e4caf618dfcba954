import { useEffect } from "react";
import { session } from "~/features/session/store";
import { report } from "~/lib/report";
import { useStore } from "~/lib/store";
import { keepWallet } from "./connection";

/**
 * For the marketplace's pages: keeps the player's wallet connected, and asks an external wallet that the player has
 * connected to switch to the game chain. The code for the latter is loaded for players who have one.
 */
export function useMarketWallet(): void {
  useEffect(keepWallet, []);
  const external = useStore(session, (s) => s.profile?.userVerifiedWallet?.walletAddress ?? "");
  useEffect(() => {
    if (!external) return;
    let stop = () => {};
    let left = false;
    import("./game-chain").then(
      ({ keepGameChain }) => {
        if (!left) stop = keepGameChain(external);
      },
      (error: unknown) => report("wallet: the external wallet's chain is not watched", error),
    );
    return () => {
      left = true;
      stop();
    };
  }, [external]);
}
