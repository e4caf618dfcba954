import { InfiniteQueryObserver, QueryClientProvider, QueryObserver, useQuery } from "@tanstack/react-query";
import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { useAddToCart, useEmptyCart, useRemoveFromCart } from "~/features/cart/actions";
import type { Cart } from "~/features/cart/holds";
import { useLiveCart } from "~/features/cart/live";
import { cartQuery } from "~/features/cart/queries";
import { unitOf } from "~/features/cart/visitor";
import { putAwayFinished, useCancel, useLiveOrder } from "~/features/checkout/pay";
import { keptOrder, type Order, orderQuery } from "~/features/checkout/queries";
import { useLiveHoldings } from "~/features/holdings/live";
import { holdingsQuery } from "~/features/holdings/queries";
import { recountAfter, useLiveListings } from "~/features/market/live";
import {
  activityQuery,
  collectionsQuery,
  type Filters,
  historyQuery,
  type Item,
  itemQuery,
  type Listing,
  type ListingPage,
  listingsOf,
  listingsQuery,
  type OfKind,
  ofKindQuery,
  totalOf,
} from "~/features/market/queries";
import { connect } from "~/features/realtime/connection";
import { knowBy, loadProfile } from "~/features/session/session";
import { session } from "~/features/session/store";
import { balanceQuery } from "~/features/wallet/balance";
import { api, unwrap } from "~/lib/api/client";
import { queryClient } from "~/lib/query";
import { keys } from "~/lib/storage";
import { contract, jwt, profile, signedIn } from "./make";
import { config, everything, lookedAt, Model, type Random, random } from "./model";

/** The realtime client library: the test decides when it connects and when it receives a message. */
const vendor = vi.hoisted(() => ({ emit: new Map<string, (event: unknown) => void>(), start: (): Promise<void> => Promise.resolve() }));
vi.mock("@azure/web-pubsub-client", () => ({
  WebPubSubClient: class {
    on = (event: string, handler: (event: unknown) => void) => vendor.emit.set(event, handler);
    start = () => vendor.start();
    stop = () => {};
  },
}));

// The page under test sends no payment; it only prepares the wallet for one.
vi.mock("~/features/wallet/connection", async (original) => ({
  ...(await original<typeof import("~/features/wallet/connection")>()),
  activeWallet: () => Promise.reject(new Error("There is no wallet here.")),
}));

/**
 * How many rounds are run, and the seed of the first; each further round uses the next seed. Both can be set for a
 * longer run or to repeat one.
 */
const rounds = Number(process.env.NEWEST_ROUNDS ?? 200);
const firstSeed = Number(process.env.NEWEST_SEED ?? Math.floor(Math.random() * 1_000_000_000));

const me = profile();
const player = me.AccountInfo.PlayFabId;
const wallet = "0x00000000000000000000000000000000000000AB";

const lists: Record<string, Filters> = {
  newest: everything,
  cheapest: { ...everything, collection: "game-items", sort: "price-asc" },
  dearest: { ...everything, min: "2", max: "4", sort: "price-desc" },
  blades: { ...everything, q: "Blade" },
};
const others = {
  cart: cartQuery,
  item: itemQuery(contract, lookedAt),
  history: historyQuery(contract, lookedAt),
  collections: collectionsQuery,
  balance: balanceQuery(wallet),
  order: orderQuery(player),
  alike: ofKindQuery({ collection: "game-items", trait: "", rarity: "rare" }),
};
type Pages<T> = { pages: T[] } | undefined;

/** A call in transit: the server computes it step by step, then its response is in transit. */
interface Call {
  steps: Generator<void, unknown>;
  answer?: Response;
  resolve(answer: Response): void;
  reject(reason: unknown): void;
}

let worlds = 0;

/** The page, the server, and the connections between them, on which everything is delayed randomly. */
class World {
  readonly model: Model;
  readonly pick: Random;
  readonly log: string[] = [];
  #calls: Call[] = [];
  /** Messages in transit, in order. They are lost with the connection. */
  #messages: unknown[] = [];
  #connected = false;
  /** Settles a pending connection attempt. */
  #starting: { resolve(): void; reject(reason: Error): void } | undefined;
  readonly #parts: Record<string, QueryObserver | InfiniteQueryObserver>;
  readonly #shown = new Map<string, () => void>();
  /** The newest version of each listing that each part has shown. */
  readonly #seen = new Map<string, number>();
  readonly #page;
  readonly #connection;

  constructor(seed: number) {
    this.pick = random(seed);
    this.model = new Model(this.pick, 1000 * worlds++);
    signedIn({ smartWalletAddress: wallet });
    vi.stubGlobal("fetch", (input: Request | string, init: RequestInit = {}) =>
      this.#call(new Request(input instanceof Request ? input : new URL(input, location.origin), init)),
    );
    vendor.start = () =>
      new Promise((resolve, reject) => {
        this.#starting = { resolve, reject };
      });
    const plain = Object.entries(others).map(([name, query]) => [name, new QueryObserver(queryClient, query as never)]);
    const paged = Object.entries(lists).map(([name, filters]) => [
      name,
      new InfiniteQueryObserver(queryClient, listingsQuery(filters) as never),
    ]);
    const packs = new InfiniteQueryObserver(queryClient, holdingsQuery("listPacks") as never);
    const activity = new InfiniteQueryObserver(queryClient, activityQuery(contract, lookedAt) as never);
    this.#parts = { ...Object.fromEntries([...plain, ...paged]), packs, activity };
    this.#page = renderHook(
      () => {
        useLiveCart();
        useLiveListings();
        useLiveHoldings();
        useLiveOrder(player, useQuery({ ...orderQuery(player), enabled: false }).data);
        return { cancel: useCancel(() => {}), add: useAddToCart(), remove: useRemoveFromCart(), empty: useEmptyCart() };
      },
      { wrapper: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider> },
    );
    this.#connection = connect(
      () => wallet,
      () => {},
    );
  }

  async #call(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const body = request.body ? await request.json() : undefined;
    if (pathname === "/api/config") return Response.json(config);
    const model = this.model;
    function* steps(): Generator<void, unknown> {
      const [last] = pathname.split("/").slice(-1);
      if (pathname === "/api/marketplace/listings") {
        const { cursor, limit: _, ...filters } = Object.fromEntries(searchParams);
        return model.page({ ...everything, ...filters }, cursor ?? null);
      }
      if (last === "getLiveListings") return { data: model.list(everything).filter((l) => l.tokenId === body.tokenId) };
      if (pathname === "/api/auth/profile") {
        if (request.method === "PATCH") model.rename(body.displayName);
        return model.profile(wallet);
      }
      if (request.method === "DELETE") return model.cancel(last ?? "") ?? { status: 409 };
      if (last === "checkout") return { order: model.openOrder() };
      if (pathname.startsWith("/api/auth/marketplace/checkout/")) return model.order(last ?? "") ?? { status: 404 };
      if (pathname.startsWith("/api/auth/marketplace/cart/")) return { success: model.changeCart(last ?? "", body) };
      if (last === "cart") return yield* model.cart();
      if (last === "history") return model.history();
      if (last === "activity") return model.activity();
      if (last === "collections") return model.collections();
      if (last === "listPacks") return model.packs();
      if (pathname === "/api/marketplace/items") return { items: [], tokens: [] };
      if (pathname.startsWith("/api/marketplace/items/")) return yield* model.item();
      if (pathname.startsWith("/api/proxy/rpc/"))
        return (body as { id: number }[]).map(({ id }) => ({ jsonrpc: "2.0", id, result: `0x${model.usdc().toString(16)}` }));
      throw new Error(`nobody answers ${pathname}`);
    }
    return new Promise((resolve, reject) => {
      const call: Call = { steps: steps(), resolve, reject };
      this.#calls.push(call);
      request.signal.addEventListener("abort", () => {
        this.#calls = this.#calls.filter((c) => c !== call);
        reject(request.signal.reason);
      });
    });
  }

  #some<T>(of: T[]): T | undefined {
    return of[this.pick(of.length)];
  }

  /** One step of the server or of a connection; false when there is nothing to do. `broken` allows losses. */
  #move(broken: boolean): boolean {
    const call = this.#some(this.#calls);
    const moves: (() => void)[] = [];
    if (call?.answer) {
      moves.push(() => {
        this.#calls = this.#calls.filter((c) => c !== call);
        if (broken && this.pick(25) === 0) call.reject(new TypeError("Failed to fetch"));
        else call.resolve(call.answer as Response);
      });
    } else if (call) {
      moves.push(() => {
        const { done, value } = call.steps.next();
        if (done) call.answer = Response.json(value, { status: (value as { status?: number }).status ?? 200 });
      });
    }
    if (this.model.outbox.length) {
      moves.push(() => {
        const message = this.model.tell();
        if (message && this.#connected) this.#messages.push(message);
      });
    }
    if (this.#messages.length) moves.push(() => vendor.emit.get("server-message")?.({ message: { data: this.#messages.shift() } }));
    if (this.#starting) {
      const { resolve, reject } = this.#starting;
      moves.push(() => {
        this.#starting = undefined;
        if (broken && this.pick(2)) return reject(new Error("503"));
        resolve();
        this.#connect();
      });
    } else if (!this.#connected && this.#dropped) moves.push(() => this.#connect());
    this.#some(moves)?.();
    return moves.length > 0;
  }

  #dropped = false;
  #renaming = false;

  #connect(): void {
    this.#connected = true;
    this.#dropped = false;
    vendor.emit.get("connected")?.({});
  }

  #drop(): void {
    if (!this.#connected) return;
    this.#connected = false;
    this.#dropped = true;
    this.#messages = [];
    vendor.emit.get("disconnected")?.({});
  }

  #toggle(name: string): void {
    const hide = this.#shown.get(name);
    hide?.();
    if (hide) this.#shown.delete(name);
    else
      this.#shown.set(
        name,
        (this.#parts[name] as QueryObserver).subscribe(() => {}),
      );
  }

  /** The player performs an action. */
  #act(): void {
    const { add, remove, empty, cancel } = this.#page.result.current;
    const name = this.#some(Object.keys(lists)) ?? "";
    const list = this.#parts[name] as InfiniteQueryObserver;
    const offers = this.model.list(everything);
    const listing = this.pick(2) ? offers.at(-1) : this.#some(offers);
    const item = this.#some(queryClient.getQueryData<Cart>(cartQuery.queryKey)?.items ?? []);
    const { hasNextPage, isFetchingNextPage } = list.getCurrentResult();
    const order = this.#data("order") as Order | null | undefined;
    const which = this.pick(15);
    if ((which === 10 || which === 14) && order) cancel.mutate(order.orderId);
    else if (which === 11) putAwayFinished();
    else if (which === 12) this.#rename();
    else if (which === 13) void loadProfile();
    else if (which < 3 && listing) add.mutate(unitOf(listing));
    else if (which < 4 && item) remove.mutate(item);
    else if (which === 4) empty.mutate();
    else if (which === 5) void (this.#parts[this.#some([...this.#shown.keys()]) ?? name] as QueryObserver).refetch();
    else if (which > 5 && this.#shown.has(name) && hasNextPage && !isFetchingNextPage) void list.fetchNextPage();
  }

  /** Changes the player's name, one change after the other, like the form. */
  #rename(): void {
    if (this.#renaming) return;
    this.#renaming = true;
    knowBy(unwrap(api.PATCH("/api/auth/profile", { body: { displayName: `Ianthe ${this.pick(100)}` } })))
      .catch(() => {})
      .finally(() => {
        this.#renaming = false;
      });
  }

  /** Lets pending effects run, and advances the clock by `ms` milliseconds. */
  async #settle(ms = 0): Promise<void> {
    await act(async () => {
      await vi.advanceTimersByTimeAsync(ms);
    });
    this.#mustNotGoBack();
  }

  async play(): Promise<void> {
    for (const name of Object.keys(this.#parts)) if (this.pick(2)) this.#toggle(name);
    for (let step = 20 + this.pick(60); step > 0; step--) {
      const chance = this.pick(100);
      let ms = 0;
      act(() => {
        if (chance < 14) this.model.happen();
        else if (chance < 28) this.#act();
        else if (chance < 36) this.#toggle(this.#some(Object.keys(this.#parts)) ?? "");
        else if (chance < 38) this.#drop();
        else if (chance < 42) ms = this.pick(20_000);
        else this.#move(true);
      });
      await this.#settle(ms);
    }
  }

  /** Runs without losses until nothing is in transit or pending. The profile is loaded again, as it is each minute. */
  async end(): Promise<void> {
    void loadProfile();
    for (let still = 0; still < 40; still++) {
      for (;;) {
        let moved = false;
        act(() => {
          moved = this.#move(false);
        });
        if (!moved) break;
        still = 0;
        await this.#settle();
      }
      act(
        () =>
          void queryClient.refetchQueries({
            type: "active",
            predicate: ({ state }) => state.status === "error" && state.fetchStatus === "idle",
          }),
      );
      await this.#settle(1_000);
      if (this.#connected && !this.#calls.length && !this.model.outbox.length && !queryClient.isFetching() && !queryClient.isMutating())
        return;
    }
    throw new Error("it does not come to rest");
  }

  showAll(): void {
    act(() => {
      for (const name of Object.keys(this.#parts)) if (!this.#shown.has(name)) this.#toggle(name);
    });
  }

  /** Loads all pages of all lists. */
  async showMore(): Promise<void> {
    for (const name of Object.keys(lists)) {
      const list = this.#parts[name] as InfiniteQueryObserver;
      while (list.getCurrentResult().hasNextPage) {
        act(() => void list.fetchNextPage());
        await this.#settle();
        await this.end();
      }
    }
  }

  #data(name: string): unknown {
    return this.#parts[name]?.getCurrentResult().data;
  }

  #listings(name: string): Listing[] {
    if (name in lists) return listingsOf((this.#data(name) as Pages<ListingPage>)?.pages ?? []);
    if (name === "alike") return (this.#data(name) as OfKind | undefined)?.items ?? [];
    if (name === "item") return (this.#data(name) as Item | undefined)?.listings ?? [];
    return name === "cart" ? ((this.#data(name) as Cart | undefined)?.items.map((item) => item.listing) ?? []) : [];
  }

  /** No part shows an older state of a listing or an order than it has shown before. */
  #mustNotGoBack(): void {
    for (const name of this.#shown.keys()) {
      for (const { listingId, version } of this.#listings(name)) {
        this.#mustNotFall(`${name}/${listingId}`, version);
      }
    }
    const order = this.#data("order") as Order | null | undefined;
    if (order && this.#shown.has("order")) this.#mustNotFall(order.orderId, order.timeline.length);
  }

  #mustNotFall(key: string, version: number): void {
    const seen = this.#seen.get(key) ?? 0;
    if (version < seen) throw new Error(`${key} went back from version ${seen} to ${version}`);
    this.#seen.set(key, version);
  }

  /** Refetches the totals of partly loaded lists; twice, as the first may cross a change that is pending. */
  async recount(): Promise<void> {
    for (let time = 0; time < 2; time++) {
      await this.#settle(recountAfter);
      await this.end();
    }
  }

  /**
   * What the parts show, and what a newly loaded page would show. Totals of partly loaded lists are compared if
   * `recounted`.
   */
  compare(recounted = false): { shown: Record<string, unknown>; fresh: Record<string, unknown> } {
    const shown: Record<string, unknown> = {};
    const fresh: Record<string, unknown> = {};
    const model = this.model;
    for (const name of this.#shown.keys()) {
      if (name in lists) {
        const pages = (this.#data(name) as Pages<ListingPage>)?.pages ?? [];
        const all = model.list(lists[name] as Filters);
        const items = this.#listings(name);
        const more = pages.at(-1)?.nextCursor !== undefined;
        const exact = !more || recounted;
        shown[name] = { items, ...(exact && { total: totalOf(pages) }) };
        fresh[name] = { items: more ? all.slice(0, items.length) : all, ...(exact && { total: { n: all.length, atLeast: false } }) };
        continue;
      }
      if (name === "alike") {
        const items = this.#listings(name);
        const more = (this.#data(name) as OfKind | undefined)?.more;
        const all = model.list({ ...everything, collection: "game-items", sort: "price-asc" });
        shown[name] = items;
        fresh[name] = more ? all.slice(0, items.length) : all;
        continue;
      }
      shown[name] = this.#data(name);
      const loaded: Record<string, () => unknown> = {
        cart: () => last(model.cart()),
        item: () => last(model.item()),
        history: () => model.history(),
        activity: () => ({ pages: [model.activity()], pageParams: [""] }),
        collections: () => model.collections().items,
        packs: () => ({ pages: [model.packs()], pageParams: [""] }),
        order: () => model.shownOrder(keptOrder(player)?.orderId),
        balance: () => ({ usdc: String(model.usdc() / 1_000_000), god: expect.any(String) }),
      };
      fresh[name] = loaded[name]?.();
    }
    shown.profile = session.get().profile;
    fresh.profile = model.profile(wallet);
    return { shown, fresh };
  }

  close(): void {
    for (const hide of this.#shown.values()) hide();
    this.#connection.stop();
    this.#page.unmount();
    queryClient.clear();
    localStorage.removeItem(keys.order);
  }
}

function last<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

beforeEach(async () => {
  await import("~/features/config/schema"); // loading it takes real time, which the rounds do not wait for
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date"] });
  vi.spyOn(console, "warn").mockImplementation(() => {});
  localStorage.setItem(keys.token, jwt({ exp: 5_000_000_000 }));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/**
 * Runs rounds in which the server's state changes randomly while responses and messages are delayed randomly:
 * messages arrive in order, responses in any order. Connections open late and are lost, responses are lost, parts of
 * the page are mounted and unmounted, the player changes the cart, cancels orders and changes the profile. In the end
 * each part must show what it would show after a reload.
 */
// Spec: LIVE-25
it("shows in the end what a page that is loaded anew shows, whatever the order in which answers and messages arrive", {
  timeout: 3_600_000,
}, async () => {
  process.stdout.write(`NEWEST_SEED=${firstSeed} NEWEST_ROUNDS=${rounds}\n`);
  for (let round = 0; round < rounds; round++) {
    const seed = firstSeed + round;
    const world = new World(seed);
    try {
      await world.play();
      await world.end();
      const asItIs = world.compare();
      expect(asItIs.shown).toEqual(asItIs.fresh);
      if (world.pick(2)) {
        await world.recount();
        const recounted = world.compare(true);
        expect(recounted.shown).toEqual(recounted.fresh);
      }
      world.showAll();
      await world.end();
      const all = world.compare();
      expect(all.shown).toEqual(all.fresh);
      await world.showMore();
      const everyPage = world.compare();
      expect(everyPage.shown).toEqual(everyPage.fresh);
    } catch (error) {
      throw new Error(`Round ${round}: play it again with NEWEST_SEED=${seed} NEWEST_ROUNDS=1`, { cause: error });
    } finally {
      world.close();
    }
  }
});
