import { useSyncExternalStore } from "react";

const never = () => () => {};

/** False in the prerendered page, true as soon as it works: for what only the browser knows. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
