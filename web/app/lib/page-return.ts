import { useEffect } from "react";

/** Calls `onReturn` when the player comes back to a page that the browser has kept as it was left (bfcache). */
export function usePageReturn(onReturn: () => void): void {
  useEffect(() => {
    const shown = ({ persisted }: PageTransitionEvent) => persisted && onReturn();
    addEventListener("pageshow", shown);
    return () => removeEventListener("pageshow", shown);
  }, [onReturn]);
}
