import { useEffect } from "react";
import { rewardsKey } from "~/features/reward/queries";
import { playerNow } from "~/features/session/player";
import { onSessionEnd } from "~/features/session/session";
import { session } from "~/features/session/store";
import { activeWallet } from "~/features/wallet/connection";
import { WalletError } from "~/features/wallet/errors";
import { assertStill, receiptOf, Superseded, sendInTurn } from "~/features/wallet/operation";
import { keepForPlayer, keptForPlayer } from "~/features/wallet/player-storage";
import type { Call, Signed, WalletChain } from "~/features/wallet/smart-wallet";
import { serverNow } from "~/lib/clock";
import { queryClient } from "~/lib/query";
import { report } from "~/lib/report";
import { createStore, useStore } from "~/lib/store";
import { tabKeys } from "~/lib/tab-keys";
import { takeFromTab } from "~/lib/tab-storage";

/** What a burn earns is decided by what is burned. */
export type Origin = "pack" | "piggy-bank" | "ark" | "power-pack";

/** Copies of an ERC-1155 token. */
export interface Item {
  contract: string;
  /** Decimal. */
  tokenId: string;
  /** At least 1. */
  amount: number;
  /** What the player sees of it while it is burned. */
  name?: string;
  image?: string;
}

/** What a player wants to burn, in one operation on one chain. */
export interface Wanted {
  origin: Origin;
  chain: WalletChain;
  items: Item[];
}

/** The player's last burn of an origin. */
export interface Burning extends Wanted, Partial<Signed> {
  /**
   * - sending: it is prepared, signed and sent.
   * - waiting: another operation of the account is pending.
   * - confirming: it is sent, and not in a block yet.
   * - late: the same, for longer than usual, or the answer to it is lost.
   * - burned: it is in a block; the rewards of txId tell the rest.
   * - failed: it was refused or reverted, so that nothing was burned, or its outcome is unknown; `error` says which.
   */
  state: "sending" | "waiting" | "confirming" | "late" | "burned" | "failed";
  /** The transaction, once it is burned. */
  txId?: string;
  /** When it was known to be burned (ISO 8601). */
  burnedAt?: string;
  /** Why it failed. */
  error?: unknown;
  /** Whether the player has seen what it gave. */
  shown?: boolean;
}

const reverted = "The chain refused this. Nothing was burned.";
const unknown =
  "We could not find out whether this was burned. If it is still in your inventory, it was not. If it is gone, " +
  "its reward arrives automatically.";

/** The player's last burn of each origin. Only this module sets it. */
export const burns = createStore<{ of: Partial<Record<Origin, Burning>> }>({ of: {} });

/** Stores what a reload needs: only burns that were sent, or whose sending may have begun. */
function keep(): void {
  const sent = Object.values(burns.get().of).filter(({ operation, state }) => operation && state !== "failed");
  keepForPlayer(tabKeys.burns, sent);
}

function put(burning: Burning): Burning {
  burns.set({ of: { ...burns.get().of, [burning.origin]: burning } });
  keep();
  return burning;
}

/** Whether a burn has not reached a block yet. */
export function isUnderWay(burning: Burning | undefined): boolean {
  return burning !== undefined && burning.state !== "burned" && burning.state !== "failed";
}

/** Selector of `burn(address,uint256,uint256)` (OpenZeppelin's ERC1155Burnable). */
const burnSelector = "0xf5298aca";

const word = (value: bigint) => value.toString(16).padStart(64, "0");

/** The calls that burn the items of an account: one for each token id. */
export function callsFor(owner: string, items: Item[]): Call[] {
  return items.map(({ contract, tokenId, amount }) => ({
    to: contract,
    value: "0",
    data: burnSelector + word(BigInt(owner)) + word(BigInt(tokenId)) + word(BigInt(amount)),
  }));
}

/** Follows a burn that was sent until it is in a block. Returns its transaction. */
async function follow(player: string, sent: Burning & Pick<Signed, "operation">): Promise<string> {
  const onLate = () => void put({ ...sent, state: "late" });
  const receipt = await receiptOf({ player, operation: sent.operation, signed: sent.signed, chain: sent.chain, onLate, unknown });
  assertStill(player);
  if (!receipt.success) throw new WalletError(reverted);
  const { signed: _, ...known } = sent;
  put({ ...known, state: "burned", txId: receipt.txHash, burnedAt: new Date(serverNow()).toISOString() });
  for (const queryKey of [rewardsKey, ["holdings"]]) void queryClient.invalidateQueries({ queryKey });
  return receipt.txHash;
}

/** Records a failure, unless another player is signed in by now. */
function fail(player: string, wanted: Wanted, error: unknown): void {
  if (error instanceof Superseded || playerNow() !== player) return;
  report("burning: not burned", error);
  const { origin, chain, items } = wanted;
  put({ origin, chain, items, state: "failed", error });
}

/**
 * Burns items of the player's smart account without gas, and returns the transaction's hash once it is in a block. The
 * progress is in `burns`, also after a reload. Rejects with the reason if nothing was burned, and while another burn of
 * the same origin is under way.
 */
export async function burn(wanted: Wanted): Promise<string> {
  const player = playerNow();
  if (isUnderWay(burns.get().of[wanted.origin])) throw new Superseded("Another burn is under way.");
  put({ ...wanted, state: "sending" });
  const onWait = () => {
    assertStill(player);
    put({ ...wanted, state: "waiting" });
  };
  let sending: Burning = { ...wanted, state: "sending" };
  try {
    const { address } = await activeWallet(wanted.chain);
    const operation = await sendInTurn({
      player,
      chain: wanted.chain,
      calls: callsFor(address, wanted.items),
      onWait,
      onSigned: (signed) => {
        sending = put({ ...wanted, ...signed, state: "sending" });
      },
      onLate: () => void put({ ...sending, state: "late" }),
    });
    const sent = { ...wanted, operation, state: "confirming" } as const;
    put(sent);
    return await follow(player, sent);
  } catch (error) {
    fail(player, wanted, error);
    throw error;
  }
}

/** The player's last burn of an origin; undefined for none. */
export function useBurning(origin: Origin): Burning | undefined {
  return useStore(burns, ({ of }) => of[origin]);
}

/** Puts a burn away that has reached a block or failed. */
export function putAway(origin: Origin): void {
  const { [origin]: mine, ...of } = burns.get().of;
  if (isUnderWay(mine)) return;
  burns.set({ of });
  keep();
}

/** Records that the player has seen what the last burn of an origin gave. */
export function noteShown(origin: Origin): void {
  const mine = burns.get().of[origin];
  if (mine?.state === "burned" && !mine.shown) put({ ...mine, shown: true });
}

/** Resumes the stored burns of the signed-in player that are not known on this page. */
function resume(): void {
  const player = playerNow();
  for (const burning of keptForPlayer<Burning>(tabKeys.burns)) {
    const { origin, operation, txId } = burning;
    if (burns.get().of[origin] || !operation) continue;
    const known = { ...burning, operation, state: txId ? "burned" : "confirming" } as const;
    put(known);
    if (!txId) follow(player, known).catch((error: unknown) => fail(player, burning, error));
  }
}

/** Resumes the player's burns after a reload, while the component is mounted. */
export function useBurns(): void {
  const player = useStore(session, (s) => s.profile?.AccountInfo.PlayFabId);
  useEffect(() => {
    if (player) resume();
  }, [player]);
}

// Registered for the lifetime of the site: the next player must find no burns of this one.
onSessionEnd(() => {
  burns.set(burns.initial);
  takeFromTab(tabKeys.burns);
});
