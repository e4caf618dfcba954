import { QueryClientProvider } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import axe from "axe-core";
import { createMemoryRouter, RouterProvider } from "react-router";
import { HttpResponse, http, server } from "../test/server";
import { queryClient } from "./query";
import { routes } from "./routes";
import type * as T from "./types";

/** The console in tests: what the server returns by default, and a page that is opened. */

export const everyRight = [
  ...["freeze", "unfreeze", "score", "whitelist add", "whitelist remove", "show"].map((act) => `player ${act}`),
  ...["redo", "assign", "list"].map((act) => `reward ${act}`),
  ...["assign", "release", "forgive", "list"].map((act) => `shop ${act}`),
  ...["add", "invite", "role", "remove", "list"].map((act) => `operator ${act}`),
  ...["gas raise", "gas show", "order show", "support list", "audit list"],
];

const hour = (n: number) => new Date(Date.now() + n * 3_600_000).toISOString();
export const hash = `0x${"ab12".repeat(16)}`;
const address = hash.slice(0, 42);

export const session = (change: Partial<T.Session> = {}): T.Session => ({
  id: "O1",
  name: "Ada",
  role: "owner",
  rights: everyRight,
  expiresAt: hour(10),
  idleAt: hour(0.5),
  confirmedUntil: hour(0.05),
  ...change,
});

const player: T.Player = { id: "P1", name: "Perseus", email: "perseus@olympus.example" };
const order: T.Order = {
  id: "OR1",
  playerId: "P1",
  state: "completed",
  total: "12500000",
  totalText: "12.50 USDC",
  currency: address,
  transaction: hash,
  placedAt: "2026-11-30T10:00:00Z",
};
export const failedReward: T.Reward = {
  source: "burn:1:2",
  origin: "pack",
  state: "failed",
  playerId: "P1",
  error: "the game platform refused it",
  earnedAt: "2026-11-30T10:00:00Z",
  createdAt: "2026-11-30T10:00:00Z",
  updatedAt: "2026-11-30T10:00:00Z",
  grants: [{ kind: "currency", detail: { code: "GD", amount: 500 }, state: "failed", error: "no answer", attempts: 3 }],
};
export const unownedReward: T.Reward = {
  source: "gift:zeus",
  origin: "gift",
  state: "pending",
  wallet: address,
  earnedAt: "2026-11-30T10:00:00Z",
  createdAt: "2026-11-30T10:00:00Z",
  updatedAt: "2026-11-30T10:00:00Z",
  detail: "<b>none</b>",
  grants: [],
};
const event: T.Event = {
  sequence: 7,
  id: "E1",
  at: "2026-11-30T10:00:05Z",
  event: "player freeze",
  kind: "operator",
  actor: "Ada",
  subject: "P1",
  reason: "Chargeback",
};
const ownEvent: T.Event = {
  id: "E2",
  at: "2026-11-30T09:00:00Z",
  event: "session.opened",
  kind: "player",
  actor: "P1",
  subject: "P1",
  session: "S1",
  network: "n-1",
  refusal: "wrong password",
};

export const playerPage = (change: Partial<T.PlayerPage> = {}): T.PlayerPage => ({
  ...player,
  wallet: { smart: address, embedded: address },
  verifiedWallet: address,
  lists: [{ name: "testers" }],
  rewards: { done: 3, failed: 1, cancelled: 0, open: 1 },
  orders: [order],
  owed: [failedReward, unownedReward],
  passkeys: 2,
  events: [event, ownEvent],
  ...change,
});

/** What the server returns, by path below /api/operate. */
const defaults: Record<string, unknown> = {
  session: session(),
  home: {
    failedRewards: 3,
    unownedRewards: 0,
    shopWaiting: 2,
    shopFailed: 1,
    debts: 1000,
    frozenPlayers: 4,
    ready: true,
    parts: [{ name: "database" }, { name: "mail", error: "connection refused" }],
  } satisfies T.Home,
  "players/search": {
    items: [player, { id: "P2", name: "Persephone", frozen: { since: "2026-11-30T10:00:00Z", reason: "x" } }],
  } satisfies T.FoundPlayers,
  frozen: {
    items: [
      { player: { id: "P2", name: "Persephone" }, since: "2026-11-29T10:00:00Z", reason: "Pomegranates" },
      { player, since: "2026-11-30T10:00:00Z" },
    ],
  } satisfies T.FrozenPlayers,
  "players/P1": playerPage(),
  "orders/OR1": {
    ...order,
    chainId: 1,
    wallet: address,
    expiresAt: "2026-11-30T10:10:00Z",
    items: [
      {
        listing: "L1",
        contract: address,
        tokenId: "7",
        seller: address,
        quantity: 2,
        bought: 2,
        price: "6250000",
      },
    ],
    prices: ["6.25 USDC"],
    events: [{ at: "2026-11-30T10:00:00Z", state: "pending", detail: "paid" }],
  } satisfies T.OrderPage,
  rewards: { items: [failedReward, unownedReward] } satisfies T.Rewards,
  shop: {
    reported: 1,
    since: "2026-11-30T10:00:00Z",
    failed: [{ orderId: 812, since: "2026-11-30T10:00:00Z", attempts: 7, error: "the shop answered 500" }],
    waiting: 9,
    orders: [
      {
        id: 900,
        number: "900",
        status: "processing",
        paidAt: "2026-11-30T10:00:00Z",
        problem: "It names two players.",
        notes: ["Called"],
        refers: [{ playerId: "P1", deleted: false }, { deleted: true }],
        lines: [
          { id: 1, variation: 31, name: "Chest", quantity: 2, takenBack: 0, waiting: 2, waits: "nobody knows whose it is", unknown: true },
        ],
      },
    ],
    debts: [{ playerId: "P1", state: "open", amount: 500, kind: "currency", source: "shop:812:1" }],
  } satisfies T.Shop,
  gas: {
    items: [
      {
        chain: "game",
        chainId: 80002,
        day: "2026-11-30T00:00:00Z",
        raised: "0",
        spent: "123456789000000000",
        newcomers: "0",
        operations: 8,
        limits: { budget: "500000000000000000", left: "376543211000000000", operationsLeft: 1188 },
      },
      { chainId: 5, day: "2026-11-30T00:00:00Z", raised: "0", spent: "0", newcomers: "0", operations: 0 },
    ],
  } satisfies T.GasBudgets,
  support: {
    items: [
      {
        id: "1",
        email: "hera@olympus.example",
        topic: "Peacock",
        message: "It has\nnot <b>arrived</b>.",
        createdAt: "2026-11-30T10:00:00Z",
      },
    ],
  } satisfies T.SupportRequests,
  log: { items: [event, ownEvent] } satisfies T.EventPage,
  operators: {
    items: [
      { id: "O1", name: "Ada", role: "owner", createdAt: "2026-11-30T10:00:00Z", seenAt: "2026-11-30T10:00:00Z", passkeys: 2 },
      { id: "O2", name: "Grace", role: "support", createdAt: "2026-11-30T10:00:00Z", passkeys: 0, invitedUntil: hour(20) },
    ],
  } satisfies T.Operators,
  passkeys: {
    items: [
      { id: "K1", name: "Laptop", createdAt: "2026-11-30T10:00:00Z", usedAt: "2026-11-30T10:00:00Z", synced: false },
      { id: "K2", name: "Phone", createdAt: "2026-11-30T10:00:00Z", synced: true },
    ],
  } satisfies T.OperatorPasskeys,
};

/** Opens a page. `answers` replace what the server returns by default. */
export function open(path: string, answers: Record<string, unknown> = {}, state?: unknown) {
  const all = { ...defaults, ...answers };
  server.use(
    ...Object.entries(all).map(([at, answer]) =>
      http[at === "players/search" ? "post" : "get"](`*/api/operate/${at}`, () =>
        answer instanceof Response ? answer.clone() : HttpResponse.json(answer as object),
      ),
    ),
  );
  queryClient.clear();
  // jsdom has no layout.
  window.scrollTo = () => {};
  Element.prototype.scrollIntoView = () => {};
  queryClient.setDefaultOptions({ queries: { ...queryClient.getDefaultOptions().queries, retryDelay: 0 } });
  const { pathname, search, hash: anchor } = new URL(path, "http://operate.test");
  const router = createMemoryRouter(routes, { initialEntries: [{ pathname, search, hash: anchor, state }] });
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return router;
}

/** The faults of accessibility that the document has, as far as they can be found without a layout. */
export async function axeFaults(): Promise<string[]> {
  document.documentElement.lang = "en";
  const { violations } = await axe.run(document, { rules: { "color-contrast": { enabled: false } } });
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}
