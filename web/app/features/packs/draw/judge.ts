import { type Anchor, type Burn, type Fixed, isQuicknet, openingOf, type Purchase, type Verified } from "../verify";
import type { Odds, Proof, TableOdds } from "./queries";

const seconds = (time: string) => Date.parse(time) / 1000;
/** Whether two values of fields are equal; addresses and hashes may have capitals. */
const isSame = (a: unknown[], b: unknown[]) => a.every((value, i) => String(value).toLowerCase() === String(b[i]).toLowerCase());

function isFixed(fixed: Fixed, said: TableOdds["fixed"]): boolean {
  if (!said) return false;
  const { chainId, by, address, tx, block, blockTime } = said;
  return isSame(
    [fixed.chainId, fixed.by, fixed.address, fixed.tx, fixed.block, fixed.blockTime],
    [chainId, by, address, tx, block, seconds(blockTime)],
  );
}

const isBurn = (burn: Burn, said: NonNullable<Proof["burn"]>) =>
  isSame(
    [burn.contract, burn.token, burn.wallet, burn.block, burn.blockHash, burn.blockTime, burn.margin],
    [said.contract, said.tokenId, said.wallet, said.block, said.blockHash, seconds(said.blockTime), said.margin],
  );

const isPurchase = (purchase: Purchase, said: NonNullable<Proof["purchase"]>) =>
  isSame([purchase.nonce, purchase.record, purchase.recordedAt], [said.nonce, said.record, seconds(said.recordedAt)]);

const isAnchor = (anchor: Anchor, said: NonNullable<Proof["purchase"]>["anchor"]) =>
  said !== undefined &&
  isSame(
    [anchor.record, anchor.chainId, anchor.wallet, anchor.tx, anchor.block, anchor.blockHash, anchor.blockTime, anchor.margin],
    [said.number, said.chainId, said.wallet, said.txId, said.block, said.blockHash, seconds(said.blockTime), said.margin],
  );

/** Compares a verified receipt with the opening, tables and beacon that the API reports. Returns each mismatch as a sentence. */
export function misfits({ receipt, table, drop }: Verified, proof: Proof, odds: Odds | undefined): string[] {
  const { beacon, burn, purchase, fixed } = receipt;
  const faults: string[] = [];
  if (openingOf(receipt) !== proof.openingId) faults.push("The receipt is that of another opening.");
  if (table.kind !== proof.kind || drop.id !== proof.drop || table.edition !== proof.edition)
    faults.push("The portal says that something else was drawn.");
  if (burn && !(proof.burn && isBurn(burn, proof.burn))) faults.push("The portal says something else of the burn.");
  if (purchase && !(proof.purchase && isPurchase(purchase, proof.purchase))) faults.push("The portal says something else of the payment.");
  if (purchase && !isAnchor(purchase.anchor, proof.purchase?.anchor))
    faults.push("The portal says something else of the payment's anchor.");
  if (!odds) return faults;
  const published = odds.tables.find(({ kind, edition }) => kind === table.kind && edition === table.edition);
  if (published?.canonical !== receipt.table) faults.push("The table is not the one that is published for this edition.");
  else if (!isFixed(fixed, published.fixed) || (proof.fixed && !isFixed(fixed, proof.fixed)))
    faults.push("The portal says that the table was fixed in another place or at another time.");
  const { publicKey, genesis, period } = odds.beacon;
  if (!isQuicknet(beacon) && (publicKey !== beacon.publicKey || genesis !== beacon.genesis || period !== beacon.period))
    faults.push("The beacon is not the one that the portal announces.");
  return faults;
}
