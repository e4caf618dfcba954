import { useEffect } from "react";
import { onSessionEnd } from "~/features/session/session";
import { createStore, type Store } from "~/lib/store";
import { type Channels, onMessage } from "./messages";

/** The results of the player's last listing and of the last cancellation. */
export const userListings = createStore({
  newListingCompleted: false,
  newListingError: false,
  removeListingCompleted: false,
  removeListingError: false,
});

/** The result of the player's last purchase of packs, and how many packs of each kind are left; null while unknown. */
export interface KODPacks {
  purchaseCompleted: boolean;
  purchaseError: boolean;
  /** Why the last purchase failed, for the player; stays until the next result. */
  errorMessage: string;
  generalPacksAvailable: number | null;
  avatarPacksAvailable: number | null;
  godPacksAvailable: number | null;
}

export const userKODPacks = createStore<KODPacks>({
  purchaseCompleted: false,
  purchaseError: false,
  errorMessage: "",
  generalPacksAvailable: null,
  avatarPacksAvailable: null,
  godPacksAvailable: null,
});

/** How long a flag stays set, in milliseconds. */
export const resetAfter = 1_000;

const resets = new Map<string, ReturnType<typeof setTimeout>>();

/** Sets one of two flags, which is cleared after a second unless the next result arrives before. */
function raise<T extends object>(store: Store<T>, completed: keyof T & string, failed: keyof T & string, success: boolean): void {
  const set = (done: boolean, error: boolean) => store.set({ [completed]: done, [failed]: error } as Partial<T>);
  clearTimeout(resets.get(completed));
  set(success, !success);
  resets.set(
    completed,
    setTimeout(() => set(false, false), resetAfter),
  );
}

function applyListing({ type, payload }: Channels["listing"]): void {
  if (type === "new") raise(userListings, "newListingCompleted", "newListingError", payload.success);
  if (type === "remove") raise(userListings, "removeListingCompleted", "removeListingError", payload.success);
}

/** The counters only ever decrease. */
const lower = (known: number | null, told: number) => (known === null ? told : Math.min(known, told));

function applyPacks({ type, payload }: Channels["kod-pack"]): void {
  if (type === "purchase-complete") {
    userKODPacks.set({ errorMessage: payload.success ? "" : (payload.errorMessage ?? "") });
    raise(userKODPacks, "purchaseCompleted", "purchaseError", payload.success);
  }
  if (type === "inventory-change") {
    const known = userKODPacks.get();
    userKODPacks.set({
      generalPacksAvailable: lower(known.generalPacksAvailable, payload.generalPacksRemaining),
      avatarPacksAvailable: lower(known.avatarPacksAvailable, payload.avatarPacksRemaining),
      godPacksAvailable: lower(known.godPacksAvailable, payload.godPacksRemaining),
    });
  }
}

// Registered for the lifetime of the site: the session may end while no component is subscribed.
onSessionEnd(() => {
  for (const reset of resets.values()) clearTimeout(reset);
  userListings.set(userListings.initial);
  userKODPacks.set(userKODPacks.initial);
});

/** Stores the results from the channel until stopped. They are cleared when the session ends. */
export function keepOutcomes(): () => void {
  const stops = [onMessage("listing", applyListing), onMessage("kod-pack", applyPacks)];
  return () => {
    for (const stop of stops) stop();
  };
}

/** The same while the component is mounted. */
export function useOutcomes(): void {
  useEffect(keepOutcomes, []);
}
