import { useEffect } from "react";
import { onSessionEnd } from "~/features/session/session";
import { createStore, type Store } from "~/lib/store";
import { type Channels, type DroppedItem, type OtherReward, onMessage, type PackReward } from "./messages";

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

/** The results of the player's last burn of piggy banks, and of the last one of VIP piggy banks. */
export const userPiggyBanks = createStore({
  burnCompleted: false,
  burnError: false,
  vipBurnCompleted: false,
  vipBurnError: false,
  /** The fate in the VIP piggy banks of the last burn; 0 if it failed. Stays until the next result. */
  vipFateAmount: 0,
});

export type BankResult = Channels["piggy-bank"]["payload"];

/** The results of burns of piggy banks: one for each kind in a transaction. */
export const transactionResults = createStore<{ results: BankResult[] }>({ results: [] });

export interface ArkResult {
  success: boolean;
  rewards: Record<string, number>;
}

/** The results of burns of arks, by the transaction's id. */
export const userArks = createStore<{ processedTransactions: Record<string, ArkResult> }>({ processedTransactions: {} });

/** The result of the last opening of a pack. */
export interface OpenKODResult {
  /** Null for none, and if the opening failed. */
  data: { itemDropped: DroppedItem | null } | null;
  /** Why it failed, for the player; "" if it did not. */
  error: string;
  packLevel: string;
}

export const openKodResult = createStore<OpenKODResult>({ data: null, error: "", packLevel: "" });

/** What the last product of the webstore gave. */
export interface DestinyPack {
  success: boolean;
  /** Why it failed, for the player; "" if it did not. */
  error: string;
  /** The variation that was bought; 0 before the first. */
  variationId: number;
  /** Null for a product that is not drawn, and if it failed. */
  packReward: PackReward | null;
  packOtherRewards: OtherReward[];
}

export const webstoreMessage = createStore<{ destinyPack: DestinyPack }>({
  destinyPack: { success: false, error: "", variationId: 0, packReward: null, packOtherRewards: [] },
});

/** What a failed opening says if the server gives no reason, and the level of a pack that the server does not name. */
const unopened = { error: "Could not open KOD pack.", packLevel: "KOD" };

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

function applyBurn({ payload }: Channels["piggy-bank"]): void {
  const { success, fateAmount, isVipPiggy } = payload;
  transactionResults.set({ results: [...transactionResults.get().results, payload] });
  if (isVipPiggy) {
    userPiggyBanks.set({ vipFateAmount: success ? fateAmount : 0 });
    raise(userPiggyBanks, "vipBurnCompleted", "vipBurnError", success);
  } else raise(userPiggyBanks, "burnCompleted", "burnError", success);
}

function applyArk({ payload: { txId, success, rewards } }: Channels["ark"]): void {
  userArks.set({ processedTransactions: { ...userArks.get().processedTransactions, [txId]: { success, rewards } } });
}

function applyOpening({ itemDropped, packLevel, error }: Extract<Channels["kod-pack"], { type: "open" }>["payload"]): void {
  // A drop need not contain a token.
  const failed = error === undefined ? !itemDropped : error !== "";
  openKodResult.set({
    data: failed ? null : { itemDropped },
    error: failed ? error || unopened.error : "",
    packLevel: packLevel || unopened.packLevel,
  });
}

/** The counters only ever decrease. */
const lower = (known: number | null, told: number) => (known === null ? told : Math.min(known, told));

function applyPacks({ type, payload }: Channels["kod-pack"]): void {
  if (type === "purchase-complete") {
    userKODPacks.set({ errorMessage: payload.success ? "" : (payload.errorMessage ?? "") });
    raise(userKODPacks, "purchaseCompleted", "purchaseError", payload.success);
  }
  if (type === "open") applyOpening(payload);
  if (type === "inventory-change") {
    const known = userKODPacks.get();
    userKODPacks.set({
      generalPacksAvailable: lower(known.generalPacksAvailable, payload.generalPacksRemaining),
      avatarPacksAvailable: lower(known.avatarPacksAvailable, payload.avatarPacksRemaining),
      godPacksAvailable: lower(known.godPacksAvailable, payload.godPacksRemaining),
    });
  }
}

function applyProduct({ type, payload }: Channels["webstore"]): void {
  if (type !== "kod-pack-reward") return;
  const { success, error, variationId, packReward, packOtherRewards } = payload;
  webstoreMessage.set({ destinyPack: { success, error, variationId, packReward, packOtherRewards } });
}

// Registered for the lifetime of the site: the session may end while no component is subscribed.
onSessionEnd(() => {
  for (const reset of resets.values()) clearTimeout(reset);
  userListings.set(userListings.initial);
  userKODPacks.set(userKODPacks.initial);
  userPiggyBanks.set(userPiggyBanks.initial);
  transactionResults.set(transactionResults.initial);
  userArks.set(userArks.initial);
  openKodResult.set(openKodResult.initial);
  webstoreMessage.set(webstoreMessage.initial);
});

/** Stores the results from the channel until stopped. They are cleared when the session ends. */
export function keepOutcomes(): () => void {
  const stops = [
    onMessage("listing", applyListing),
    onMessage("kod-pack", applyPacks),
    onMessage("piggy-bank", applyBurn),
    onMessage("ark", applyArk),
    onMessage("webstore", applyProduct),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** The same while the component is mounted. */
export function useOutcomes(): void {
  useEffect(keepOutcomes, []);
}
