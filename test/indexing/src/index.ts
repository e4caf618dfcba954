// Stores what the portal's index stores of a transfer: the transfer itself, and the resulting owners and balances.
import { ponder } from "ponder:registry";
import { balance, owner, transfer } from "ponder:schema";
import { zeroAddress } from "viem";

ponder.on("Collection:Transfer", async ({ event, context: { db } }) => {
  const { from, to, tokenId: token } = event.args;
  const { block, transaction } = event;
  await db.insert(transfer).values({ id: event.id, block: block.number, time: block.timestamp, tx: transaction.hash, token, from, to });
  await db.insert(owner).values({ token, address: to }).onConflictDoUpdate({ address: to });
  if (from !== zeroAddress) await db.update(balance, { address: from }).set((row) => ({ amount: row.amount - 1 }));
  await db.insert(balance).values({ address: to, amount: 1 }).onConflictDoUpdate((row) => ({ amount: row.amount + 1 }));
});
