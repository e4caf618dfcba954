import { type ReactNode, useEffect, useRef } from "react";
import { session } from "~/features/session/store";
import { cn } from "~/lib/cn";
import { useStore } from "~/lib/store";
import { zonedDateTime } from "~/lib/time";

/** The columns of a shelf, by how many goods are on it. */
const columns: Record<number, string> = { 1: "", 2: "", 3: "sm:grid-cols-3", 4: "lg:grid-cols-4", 5: "sm:grid-cols-3 lg:grid-cols-5" };
export const frame = "mx-auto max-w-[100rem] px-4 sm:px-8";

/** Goods side by side on a shelf. */
export function Goods({ count, children }: { count: number; children: ReactNode }) {
  return (
    <div className={cn(frame, "overflow-x-clip")}>
      <ul className={cn("-mx-1.5 grid grid-cols-2 sm:-mx-4", columns[count] ?? columns[4])}>{children}</ul>
    </div>
  );
}

/** What applies to everything that is sold: that nothing is, or that prices may have changed since `pricesOf`. */
export function Notes({ off, pricesOf }: { off: boolean; pricesOf: string | undefined }) {
  return (
    <>
      {off && (
        <div className={frame}>
          <p role="status" className="mt-4 border-l-2 border-bronze bg-night-1 px-5 py-4">
            The webstore is closed just now. What you have bought stays yours, and what you have paid for still arrives.
          </p>
        </div>
      )}
      {pricesOf && (
        <div className={frame}>
          <p role="status" className="mt-4 border-l-2 border-bronze bg-night-1 px-5 py-4">
            These are the shop's prices of <time dateTime={pricesOf}>{zonedDateTime(pricesOf)}</time>. They may have changed since: the
            checkout shows what you pay.
          </p>
        </div>
      )}
    </>
  );
}

/** The id of the signed-in player; "" for a visitor. */
export const useViewer = (): string => useStore(session, (s) => (s.isAuthenticated ? (s.profile?.AccountInfo.PlayFabId ?? "") : ""));

/** Leads the player who has signed in on the way back to what they wanted to buy, once it is there. */
export function useReturn(ready: boolean): void {
  const done = useRef(false);
  useEffect(() => {
    if (!ready || done.current) return;
    done.current = true;
    const item = /^#item-\d+$/.test(location.hash) && document.getElementById(location.hash.slice(1));
    if (!item) return;
    item.scrollIntoView({ block: "center" });
    const button = item.querySelector<HTMLElement>("button") ?? item.querySelector("a");
    button?.focus({ preventScroll: true });
  }, [ready]);
}
