import { useEffect } from "react";
import { TextLink } from "~/components/ui/link";
import { notify, notifyUntil, takeBack } from "~/components/ui/toasts";
import { type KODPacks, userKODPacks } from "~/features/realtime/outcomes";
import { paths } from "~/lib/paths";

/** The toast that leads to bought packs: there is only one. */
const bought = "packs-bought";

/** Tells the player, on other pages than the checkout and the packs, that packs were bought, or why not. */
export function usePackNews(elsewhere: boolean): void {
  useEffect(() => {
    if (!elsewhere) return;
    let before: KODPacks = userKODPacks.get();
    const tell = () => {
      const now = userKODPacks.get();
      const { purchaseCompleted, purchaseError } = before;
      before = now;
      if (now.purchaseError && !purchaseError) notify("error", "Your packs were not bought", now.errorMessage);
      if (!now.purchaseCompleted || purchaseCompleted) return;
      notifyUntil(
        bought,
        <span>
          Your packs have arrived.{" "}
          <TextLink to={paths.packs} onClick={() => takeBack(bought)}>
            Open them now
          </TextLink>
        </span>,
      );
    };
    const stop = userKODPacks.subscribe(tell);
    return () => {
      stop();
      takeBack(bought);
    };
  }, [elsewhere]);
}
