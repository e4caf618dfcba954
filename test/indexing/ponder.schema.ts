import { onchainTable } from "ponder";

export const transfer = onchainTable("transfer", (t) => ({
  id: t.text().primaryKey(),
  block: t.bigint().notNull(),
  time: t.bigint().notNull(),
  tx: t.hex().notNull(),
  token: t.bigint().notNull(),
  from: t.hex().notNull(),
  to: t.hex().notNull(),
}));

export const owner = onchainTable("owner", (t) => ({ token: t.bigint().primaryKey(), address: t.hex().notNull() }));

export const balance = onchainTable("balance", (t) => ({ address: t.hex().primaryKey(), amount: t.integer().notNull() }));
