// Returns the numbers of stored rows, which the benchmark checks.
import { count, sum } from "ponder";
import { Hono } from "hono";
import { db } from "ponder:api";
import { balance, owner, transfer } from "ponder:schema";

const app = new Hono();

app.get("/counts", async (c) => {
  const [transfers] = await db.select({ n: count() }).from(transfer);
  const [owners] = await db.select({ n: count() }).from(owner);
  const [units] = await db.select({ n: sum(balance.amount) }).from(balance);
  return c.json({ transfers: transfers?.n, owners: owners?.n, units: Number(units?.n) });
});

export default app;
