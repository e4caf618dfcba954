import { useEffect } from "react";
import { notify } from "~/components/ui/toasts";
import { onMessage } from "~/features/realtime/messages";
import type { Amounts } from "~/features/reward/amounts";
import { amountsText } from "~/features/reward/components/amounts";
import { burns, type Origin } from "./burn";
import { texts } from "./texts";

/** The origins whose burns the page shows itself. */
const shown = new Map<Origin, number>();

/** While the component is mounted, results of an origin are not notified: the page shows them. */
export function useShown(origin: Origin): void {
  useEffect(() => {
    shown.set(origin, (shown.get(origin) ?? 0) + 1);
    return () => void shown.set(origin, (shown.get(origin) ?? 1) - 1);
  }, [origin]);
}

function tell(origin: Origin, txId: string, success: boolean, given: Amounts): void {
  // Not for burns of another tab or device, which shows them itself.
  if (shown.get(origin) || burns.get().of[origin]?.txId !== txId) return;
  const what = texts[origin].one;
  notify(
    success ? "success" : "error",
    success ? `From your ${what}: ${amountsText(given)}.` : `What your ${what} held could not be given. We are looking into it.`,
  );
}

/** Notifies results of the player's burns while they are on another page. */
export function useBurnNews(): void {
  useEffect(() => {
    const stops = [
      onMessage("piggy-bank", ({ payload: { txId, success, fateAmount } }) => tell("piggy-bank", txId, success, { fa: fateAmount })),
      onMessage("ark", ({ payload: { txId, success, rewards } }) => tell("ark", txId, success, rewards)),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, []);
}
