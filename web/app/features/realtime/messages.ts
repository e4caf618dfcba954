import type { components } from "~/lib/api/schema.gen";

type Listing = components["schemas"]["Listing"];

/** The token that an opened pack gave. */
export type DroppedItem = components["schemas"]["DroppedItem"];

/** What was drawn of a destiny pack; without a drop only some fields. */
export interface PackReward {
  name?: string;
  rarity?: string;
  itemDropped?: DroppedItem;
  openingId?: string;
}

/** A currency or a token that a product of the webstore gave. */
export interface OtherReward {
  kind: string;
  detail: unknown;
}

/** The messages of each realtime channel that this client handles. */
export interface Channels {
  "kod-pack":
    | { type: "purchase-complete"; payload: { txId: string; success: boolean; productId?: string; errorMessage?: string } }
    | { type: "inventory-change"; payload: { generalPacksRemaining: number; avatarPacksRemaining: number; godPacksRemaining: number } }
    | { type: "open"; payload: { txId: string; openingId: string; itemDropped: DroppedItem | null; packLevel?: string; error?: string } };
  "piggy-bank": { type: "burn"; payload: { txId: string; success: boolean; fateAmount: number; isVipPiggy: boolean } };
  /** The type is the id of the transaction that burned the arks; the rewards are amounts by currency code. */
  ark: { type: string; payload: { txId: string; success: boolean; rewards: Record<string, number> } };
  /** A reward has reached another state. */
  reward: { type: "update"; payload: { id: string; origin: string; state: string; txId: string | null } };
  "live-listings-change": {
    type: "insert" | "update" | "delete";
    payload: { document: Listing; assetContractAddress: string };
  };
  listing:
    | { type: "new" | "remove"; payload: { txId: string; success: boolean; listingId?: string; errorMessage?: string } }
    | { type: "hold-ended"; payload: { listingId: string; assetContractAddress: string; index: number; message: string } };
  order: { type: "update"; payload: { orderId: string; state: string } };
  /** What a product of the webstore gave, and that the webstore shows something else to a player. */
  webstore:
    | {
        type: "kod-pack-reward";
        payload: { success: boolean; error: string; variationId: number; packReward: PackReward | null; packOtherRewards: OtherReward[] };
      }
    | { type: "refetch-products"; payload: { userId: string } };
  /** A withdrawal of the player's has changed. */
  withdrawal: { type: "update"; payload: { withdrawalId: string } };
  /** The player's notifications have changed. */
  notification: { type: "update"; payload: Record<string, never> };
  /** Contracts in which the player's balances changed. */
  holdings: { type: "change"; payload: { contracts: string[] } };
}

type Handler<C extends keyof Channels> = (message: Channels[C]) => void;

const handlers = new Map<string, Set<(message: never) => void>>();

/** Calls the handler for each message of a channel. Returns a function that unsubscribes. */
export function onMessage<C extends keyof Channels>(channel: C, handler: Handler<C>): () => void {
  const set = handlers.get(channel) ?? new Set();
  handlers.set(channel, set.add(handler));
  return () => set.delete(handler);
}

/** Passes a message from the connection to the handlers of its channel. Malformed messages are dropped. */
export function dispatch(data: unknown): void {
  if (typeof data !== "object" || data === null) return;
  const { channelId, type, payload } = data as Record<string, unknown>;
  if (typeof channelId !== "string" || typeof type !== "string" || typeof payload !== "object" || payload === null) return;
  for (const handler of handlers.get(channelId) ?? []) handler({ type, payload } as never);
}
