import { renderHook } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ownTag } from "~/features/cart/holds";
import { dispatch } from "~/features/realtime/messages";
import { connection } from "~/features/realtime/store";
import { queryClient } from "~/lib/query";
import { contract, hold, item, listing, profile } from "../../../test/make";
import { HttpResponse, http, problem, server } from "../../../test/server";
import { availability } from "./availability";
import { rangeProblems, readFilters } from "./filters";
import { useLiveListings } from "./live";
import {
  type Filters,
  type Item,
  type Listing,
  type ListingPage,
  listingsOf,
  listingsQuery,
  marketKeys,
  type OfKind,
  type Sort,
  totalOf,
} from "./queries";

const filters = (some: Partial<Filters> = {}): Filters => ({
  collection: "",
  q: "",
  rarity: [],
  trait: [],
  seller: "",
  free: false,
  cheapest: false,
  min: "",
  max: "",
  sort: "newest",
  ...some,
});

/** Puts pages of listings into the market's cache. */
function show(pages: Listing[][], some: Partial<Filters> = {}, more = false) {
  queryClient.setQueryData(marketKeys.filtered(filters(some)), {
    pages: pages.map((items, i) => ({
      items,
      ...(i === 0 ? { total: pages.flat().length } : {}),
      ...(more || i < pages.length - 1 ? { nextCursor: "next" } : {}),
    })),
    pageParams: pages.map(() => ""),
  });
}

const pagesOf = (some: Partial<Filters> = {}) =>
  queryClient.getQueryData<{ pages: { items: Listing[]; total?: number }[] }>(marketKeys.filtered(filters(some)))?.pages ?? [];
const shown = (some: Partial<Filters> = {}) => pagesOf(some).map((page) => page.items.map((l) => l.listingId));
const tell = (type: "insert" | "update" | "delete", document: Listing) =>
  dispatch({ channelId: "live-listings-change", type, payload: { document, assetContractAddress: contract } });
const asksAgain = (some: Partial<Filters> = {}) => queryClient.getQueryState(marketKeys.filtered(filters(some)))?.isInvalidated;

const one = (listingId: string, more: Partial<Listing> = {}) => listing({ listingId, ...more });

let live: { unmount: () => void };

beforeEach(() => {
  live = renderHook(useLiveListings);
});

describe("a new listing", () => {
  // Spec: LIVE-19
  it("comes first among the newest, once", () => {
    show([[one("1")]]);
    tell("insert", one("2"));
    tell("insert", one("2"));
    expect(shown()).toEqual([["2", "1"]]);
    expect(pagesOf()[0]?.total).toBe(2);
  });

  it("that its seller offers already, for as much, has no card of its own", () => {
    const { tokenId, seller } = one("1");
    for (const some of [{}, { sort: "price-asc" as const }, { seller }]) show([[one("1")]], some);
    tell("insert", one("2", { tokenId }));
    expect(shown()).toEqual([["1"]]);
    expect(pagesOf()[0]?.total).toBe(2);
    expect(shown({ sort: "price-asc" })).toEqual([["1", "2"]]);
    expect(shown({ seller })).toEqual([["2", "1"]]);
    tell("insert", one("3", { tokenId, price: "9" }));
    tell("insert", one("4", { tokenId, seller: contract }));
    expect(shown()).toEqual([["4", "3", "1"]]);
  });

  it("that has no card of its own gets one when the other one ends", () => {
    const { assetContractAddress, tokenId } = one("1");
    const tokens = [{ contract: assetContractAddress, tokenId, offers: 1 }];
    queryClient.setQueryData(marketKeys.filtered(filters()), { pages: [{ items: [one("1")], tokens }], pageParams: [""] });
    tell("insert", one("2", { tokenId }));
    expect(asksAgain()).toBe(false);
    tell("delete", one("1", { version: 2 }));
    expect(asksAgain()).toBe(true);
  });

  it("that its seller offers already has a card where the other one is held", () => {
    show([[one("1", { inCartItems: [hold()] })]]);
    tell("insert", one("2", { tokenId: "1" }));
    expect(shown()).toEqual([["2", "1"]]);
  });

  // Spec: LIVE-19
  it.each<[Sort, string[][]]>([
    ["price-asc", [["1", "9", "2"], ["3"]]],
    ["price-desc", [["9", "1", "2"], ["3"]]],
  ])("stands at its price by %s", (sort, expected) => {
    const prices = sort === "price-asc" ? ["10", "30", "40"] : ["15", "10", "5"];
    const [a, b, c] = prices.map((p, i) => one(String(i + 1), { pricePerToken: p }));
    show([[a as Listing, b as Listing], [c as Listing]], { sort });
    tell("insert", one("9", { pricePerToken: "20" }));
    expect(shown({ sort })).toEqual(expected);
  });

  it("stands at its rarity", () => {
    show(
      [
        [
          one("1", { metadata: { ...one("1").metadata, rarity: "mythic" } }),
          one("2", { metadata: { ...one("2").metadata, rarity: "common" } }),
        ],
      ],
      {
        sort: "rarity",
      },
    );
    tell("insert", one("9"));
    expect(shown({ sort: "rarity" })).toEqual([["1", "9", "2"]]);
  });

  it("behind everything that is loaded waits for its own page", () => {
    show([[one("1", { pricePerToken: "1" })]], { sort: "price-asc" }, true);
    tell("insert", one("9", { pricePerToken: "5" }));
    expect(shown({ sort: "price-asc" })).toEqual([["1"]]);
  });

  it("at the very end of a list that is all loaded is added there", () => {
    show([[one("1", { pricePerToken: "1" })]], { sort: "price-asc" });
    tell("insert", one("9", { pricePerToken: "5" }));
    expect(shown({ sort: "price-asc" })).toEqual([["1", "9"]]);
  });

  it("stays out of lists it does not belong to", () => {
    show([[one("1")]], { collection: "avatars" });
    show([[one("1")]], { rarity: ["mythic"] });
    tell("insert", one("2"));
    expect(shown({ collection: "avatars" })).toEqual([["1"]]);
    expect(shown({ rarity: ["mythic"] })).toEqual([["1"]]);
  });

  it("that can't be bought, or not yet, is in no list", () => {
    show([[one("1")]]);
    tell("insert", one("2", { isInvalid: true }));
    expect(shown()).toEqual([["1"]]);
  });

  it("makes a search ask the server again", () => {
    show([[one("1")]], { q: "blade" });
    tell("insert", one("2"));
    expect(shown({ q: "blade" })).toEqual([["1"]]);
    expect(asksAgain({ q: "blade" })).toBe(true);
  });
});

describe("a changed listing", () => {
  it("that is older than what is known changes nothing", () => {
    show([[one("1", { version: 7, price: "99" })]]);
    tell("update", one("1", { version: 6 }));
    tell("delete", one("1", { version: 6 }));
    tell("insert", one("1", { version: 6 }));
    expect(pagesOf()[0]?.items).toEqual([one("1", { version: 7, price: "99" })]);
    tell("update", one("1", { version: 7, price: "98" }));
    expect(pagesOf()[0]?.items[0]?.price).toBe("98");
  });

  it("moves to the place of its new price, and out of a range it leaves", () => {
    const price = (n: number) => ({ price: String(n), pricePerToken: `${n}000000` });
    show([[one("1", price(1)), one("2", price(2))], [one("3", price(3))]], { sort: "price-asc", max: "3" });
    const range = { sort: "price-asc", max: "3" } as const;
    tell("update", one("1", price(3)));
    expect(shown(range)).toEqual([["2"], ["1", "3"]]);
    tell("update", one("2", price(4)));
    expect(shown(range)).toEqual([[], ["1", "3"]]);
    expect(pagesOf(range)[0]?.total).toBe(2);
    tell("update", one("4", price(2)));
    expect(shown(range).flat()).toEqual(["4", "1", "3"]);
  });

  it("that was the last of what is loaded makes the list ask again when it goes: the next page begins behind it", () => {
    show([[one("1"), one("2")]], {}, true);
    tell("delete", one("1"));
    expect(asksAgain()).toBe(false);
    tell("delete", one("2"));
    expect(asksAgain()).toBe(true);
  });

  // Spec: LIVE-20, MARKET-1
  it("is replaced wherever it stands", () => {
    show([[one("1")], [one("2")]]);
    tell("update", one("2", { price: "99" }));
    expect(pagesOf()[1]?.items[0]?.price).toBe("99");
    expect(asksAgain()).toBe(false);
  });

  /** Answers with the live listings of a token, and returns the requests. */
  function answerLive(...live: Listing[]) {
    const asked: unknown[] = [];
    server.use(
      http.post("*/api/marketplace/liveListings/getLiveListings", async ({ request }) => {
        asked.push(await request.json());
        return HttpResponse.json({ data: live });
      }),
    );
    return asked;
  }

  // Spec: LIVE-20, MARKET-2
  it("that can't be bought any more has the live listings of its token loaded: it leaves the list and the count", async () => {
    const asked = answerLive(one("2", { tokenId: "1", version: 3, price: "9" }), one("2", { tokenId: "1", version: 3, price: "9" }));
    show([[one("1"), one("2", { tokenId: "1", version: 2 }), one("3")]]);
    tell("update", one("1", { version: 2, isInvalid: true }));
    await vi.waitFor(() => expect(shown()).toEqual([["2", "3"]]));
    expect(asked).toEqual([{ assetContractAddress: contract, tokenId: "1", limit: 100 }]);
    expect(pagesOf()[0]).toMatchObject({ total: 2, items: [{ price: "9" }, {}] });
    expect(asksAgain()).toBe(false);
  });

  it("that can be bought again meanwhile stays", async () => {
    const asked = answerLive();
    show([[one("1")]]);
    tell("update", one("1", { version: 2, isInvalid: true }));
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    tell("update", one("1", { version: 3 }));
    await new Promise(requestAnimationFrame);
    await vi.waitFor(() => expect(shown()).toEqual([["1"]]));
  });

  // Spec: LIVE-25
  it("that has ended while its token's listings were on their way does not come back with them", async () => {
    let answer = () => {};
    const sent = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const asked: unknown[] = [];
    server.use(
      http.post("*/api/marketplace/liveListings/getLiveListings", async () => {
        asked.push(1);
        await sent; // computed while it could be bought again
        return HttpResponse.json({ data: [one("71", { tokenId: "1", version: 3 }), one("72", { tokenId: "1", version: 1 })] });
      }),
    );
    show([[one("71", { tokenId: "1" }), one("73")]]);
    tell("update", one("71", { tokenId: "1", version: 2, isInvalid: true }));
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    tell("delete", one("71", { tokenId: "1", version: 4, isInvalid: true }));
    answer();
    await vi.waitFor(() => expect(shown()[0]).toContain("72"));
    expect(shown()[0]).not.toContain("71");
  });

  // Spec: LIVE-20
  it("that can't be bought any more makes the lists ask again when its token's listings do not load, or there are many such", async () => {
    server.use(http.post("*/api/marketplace/liveListings/getLiveListings", () => problem(503, "Away.")));
    show([[one("1")]]);
    tell("update", one("1", { version: 2, isInvalid: true }));
    await vi.waitFor(() => expect(asksAgain()).toBe(true));
    const asked = answerLive();
    const six = ["1", "2", "3", "4", "5", "6"];
    show([six.map((id) => one(id))]);
    expect(asksAgain()).toBe(false);
    for (const id of six) tell("update", one(id, { version: 2, isInvalid: true }));
    await vi.waitFor(() => expect(asksAgain()).toBe(true));
    expect(asked).toEqual([]);
  });
});

describe("a listing that ended", () => {
  it.each<["delete" | "update", Partial<Listing>]>([
    ["delete", {}],
    ["update", { inCartItems: [hold()] }],
    ["update", { price: "9" }],
  ])("or is held or has another price leaves its place to an equal one, which the server knows: %s", (type, more) => {
    show([[one("1")]]);
    tell(type, one("1", { version: 2, ...more }));
    expect(asksAgain()).toBe(false);
    const { assetContractAddress, tokenId } = one("1");
    queryClient.setQueryData(marketKeys.filtered(filters()), {
      pages: [{ items: [one("1")], tokens: [{ contract: assetContractAddress, tokenId, offers: 2 }] }],
      pageParams: [""],
    });
    tell(type, one("1", { version: 3, ...more }));
    expect(asksAgain()).toBe(true);
  });

  // Spec: LIVE-21
  it("leaves the list and the count", () => {
    show([[one("1"), one("2")]]);
    tell("delete", one("1"));
    tell("delete", one("1"));
    expect(shown()).toEqual([["2"]]);
    expect(pagesOf()[0]?.total).toBe(1);
  });
});

describe("a list with filters", () => {
  const attributes = [
    { trait_type: "Metal", value: "Gold" },
    { trait_type: "Power", value: "9" },
  ];
  const golden = (more: Partial<Listing> = {}) => one("7", { ...more, metadata: { ...one("7").metadata, attributes } });

  it.each<[string, Partial<Filters>, boolean]>([
    ["has the trait", { trait: ["Metal:Gold"] }, true],
    ["has one of the values", { trait: ["Metal:Iron", "Metal:Gold"] }, true],
    ["has all traits", { trait: ["Metal:Gold", "Power:9"] }, true],
    ["lacks one of the traits", { trait: ["Metal:Gold", "Power:8"] }, false],
    ["lacks the trait", { trait: ["Age:Old"] }, false],
    ["is the seller's", { seller: "0x00000000000000000000000000000000000000F1" }, true],
    ["is another seller's", { seller: "0x00000000000000000000000000000000000000f2" }, false],
    ["is free", { free: true }, true],
  ])("a new listing that %s", (_, some, comes) => {
    show([[]], some);
    tell("insert", golden());
    expect(shown(some)).toEqual([comes ? ["7"] : []]);
  });

  it("of what is free does not take in what is held, and keeps what is held meanwhile", () => {
    const some = { free: true };
    show([[one("1")]], some);
    tell("update", golden({ inCartItems: [hold()] }));
    expect(shown(some)).toEqual([["1"]]);
    tell("update", one("1", { version: 2, inCartItems: [hold()] }));
    expect(shown(some)).toEqual([["1"]]);
  });
});

describe("the total of a list of which only a part is loaded", () => {
  const part = { sort: "price-asc" } as const;
  const total = () => pagesOf(part)[0]?.total;
  const cheap = one("1", { pricePerToken: "1" });
  const dear = one("9", { pricePerToken: "9" });
  /** The requests for totals. */
  let counts: string[] = [];

  beforeEach(() => {
    counts = [];
    vi.useFakeTimers();
    vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
      const { pathname, search } = new URL((request as Request).url);
      if (pathname === "/api/marketplace/listings") counts.push(search);
      return HttpResponse.json({ items: [], tokens: [], total: 7 });
    });
    show([[cheap, one("2", { pricePerToken: "2" })]], part, true);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it.each(["insert", "update", "delete"] as const)(
    "does not change with the %s of a listing behind what is loaded, however often it is told",
    (type) => {
      tell(type, dear);
      tell(type, dear);
      expect(total()).toBe(2);
    },
  );

  it("changes once with a listing that enters or leaves what is loaded", () => {
    tell("delete", cheap);
    tell("delete", cheap);
    expect(total()).toBe(1);
    tell("insert", cheap);
    tell("insert", cheap);
    expect(total()).toBe(2);
  });

  it("is fetched again half a minute after a change, once for many changes, without the list", async () => {
    tell("insert", dear);
    await vi.advanceTimersByTimeAsync(29_999);
    tell("delete", dear);
    expect(counts).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(counts).toEqual(["?sort=price-asc&limit=1"]);
    expect(total()).toBe(7);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(counts).toHaveLength(1);
    expect(asksAgain(part)).toBe(false);
  });

  it("is fetched again half a minute after it could not be", async () => {
    let failures = 0;
    vi.mocked(fetch).mockImplementationOnce(async () => {
      failures++;
      return HttpResponse.json({}, { status: 400 });
    });
    tell("insert", dear);
    await vi.advanceTimersByTimeAsync(30_000);
    expect([failures, counts]).toEqual([1, []]);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(counts).toEqual(["?sort=price-asc&limit=1"]);
    expect(total()).toBe(7);
  });

  it("is not fetched again for a hold", async () => {
    tell("update", dear);
    await vi.advanceTimersByTimeAsync(30_000);
    tell("update", { ...dear, version: 2, inCartItems: [hold()] });
    await vi.advanceTimersByTimeAsync(30_000);
    expect(counts).toHaveLength(1);
  });

  it("is not fetched again once all is loaded: it is counted then", async () => {
    show([[cheap]], part);
    tell("insert", dear);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(counts).toEqual([]);
    expect(total()).toBe(2);
  });
});

describe("an item's page", () => {
  const key = marketKeys.item(contract, "1");
  beforeEach(() => {
    queryClient.setQueryData(key, item({ listings: [one("1", { quantity: 2 })] }));
  });

  // Spec: MARKET-22
  it("shows the hold of another player", () => {
    tell("update", one("1", { quantity: 2, inCartItems: [hold()] }));
    expect(queryClient.getQueryData<Item>(key)?.listings[0]?.inCartItems).toHaveLength(1);
  });

  it("asks again when units were sold, because owners and sales changed too, and not for a hold", () => {
    const asks = () => queryClient.getQueryState(key)?.isInvalidated;
    const ofTwo = one("1", { quantity: 2 });
    tell("update", ofTwo); // the previous state is unknown
    queryClient.setQueryData<Item>(key, (item) => item);
    expect(asks()).toBe(false);
    tell("update", { ...ofTwo, version: 2, inCartItems: [hold()] });
    expect(asks()).toBe(false);
    tell("update", { ...ofTwo, version: 3, quantity: 1 });
    expect(asks()).toBe(true);
    queryClient.setQueryData<Item>(key, (item) => item);
    tell("update", { ...ofTwo, version: 5, quantity: 1 }); // sold and relisted, in one message
    expect(asks()).toBe(true);
  });

  it("is not changed by what is older than it", () => {
    tell("update", one("1", { version: 7, price: "99" }));
    tell("update", one("1", { version: 6 }));
    tell("delete", one("1", { version: 6 }));
    expect(queryClient.getQueryData<Item>(key)?.listings.map((l) => l.price)).toEqual(["99"]);
  });

  it("has its listings cheapest first, also after a change of price", () => {
    tell("insert", one("2", { tokenId: "1", price: "5", pricePerToken: "5000000" }));
    tell("update", one("1", { price: "4", pricePerToken: "4000000" }));
    tell("update", one("2", { tokenId: "1", price: "3", pricePerToken: "3000000", isInvalid: true }));
    expect(queryClient.getQueryData<Item>(key)?.listings.map((l) => [l.listingId, l.price])).toEqual([
      ["2", "3"],
      ["1", "4"],
    ]);
  });
});

describe("what was told of a listing", () => {
  const collections = () => {
    queryClient.setQueryData(marketKeys.collections, [{ contract, slug: "game-items", listed: 1, floor: "1" }]);
    return () => queryClient.getQueryState(marketKeys.collections)?.isInvalidated;
  };
  const held = (version: number) => tell("update", one("1", { version, inCartItems: [hold()] }));

  beforeEach(() => {
    vi.useFakeTimers();
    tell("update", one("1"));
    vi.advanceTimersByTime(30_000);
  });
  afterEach(() => vi.useRealTimers());

  it("shows that a hold changes no price", () => {
    const ask = collections();
    held(2);
    expect(ask()).toBe(false);
  });

  it("stays known while the connection recovers, which misses no message", () => {
    const ask = collections();
    connection.set({ state: "Recovering" });
    connection.set({ state: "Connected" });
    held(2);
    expect(ask()).toBe(false);
  });

  it.each<[string, () => void]>([
    ["the connection is lost", () => connection.set({ state: "Disconnected" })],
    ["the connection is replaced", () => connection.set({ state: "Stopped" })],
    [
      "the page is left, as when the session ends",
      () => {
        live.unmount();
        renderHook(useLiveListings);
      },
    ],
  ])("is forgotten when %s: the price may have changed, so the collections are fetched again after a while", (_, end) => {
    const ask = collections();
    end();
    held(2);
    expect(ask()).toBe(false);
    vi.advanceTimersByTime(30_000);
    expect(ask()).toBe(true);
  });
});

describe("totalOf", () => {
  it("counts what is loaded once that is all, and trusts the server before", () => {
    expect(totalOf([{ items: [one("1")], total: 7, nextCursor: "next" }])).toEqual({ n: 7, atLeast: false });
    expect(totalOf([{ items: [one("1")], total: 1000, totalAtLeast: true, nextCursor: "next" }])).toEqual({ n: 1000, atLeast: true });
    expect(totalOf([{ items: [one("1"), one("2")], total: 7, nextCursor: "next" }, { items: [one("2"), one("3")] }])).toEqual({
      n: 3,
      atLeast: false,
    });
  });
});

describe("listingsOf", () => {
  // Spec: LIVE-22
  it("shows a listing once, however the pages overlap", () => {
    expect(listingsOf([{ items: [one("1"), one("2")] }, { items: [one("2"), one("3")] }]).map((l) => l.listingId)).toEqual(["1", "2", "3"]);
  });
});

describe("availability", () => {
  const me = profile();
  const wallet = "0x00000000000000000000000000000000000000AB";
  const end = Date.parse("2026-11-20T10:10:00.000Z");

  it("is free while a unit is", () =>
    expect(availability(one("1", { quantity: 3, inCartItems: [hold()] }), me, wallet)).toEqual({ kind: "free", left: 2 }));
  it("is held until the first hold ends when others hold every unit", () => {
    const holds = [hold({ expiresAt: "2026-11-20T10:12:00.000Z" }), hold({ index: 1 })];
    expect(availability(one("1", { quantity: 2, inCartItems: holds }), me, wallet)).toEqual({ kind: "held", until: end });
  });
  it("is the player's while they hold a unit", () => {
    const holds = [hold({ playFabId: ownTag(me, hold().listingId) }), hold({ index: 1 })];
    expect(availability(one("1", { quantity: 3, inCartItems: holds }), me, wallet)).toEqual({
      kind: "mine",
      count: 1,
      until: end,
      left: 1,
    });
  });
  it("is the player's own listing by its seller, however the address is written", () => {
    expect(availability(one("1", { seller: wallet.toLowerCase() }), me, wallet)).toEqual({ kind: "selling" });
    expect(availability(one("1", { seller: "" }), me, "")).toEqual({ kind: "free", left: 1 });
  });
});

describe("one card per item", () => {
  const only = { cheapest: true };
  const offer = (listingId: string, price: string, more: Partial<Listing> = {}) =>
    one(listingId, { tokenId: "7", price, pricePerToken: `${price}000000`, ...more });
  const held = { inCartItems: [hold({})] };

  it.each<[string, "insert" | "update" | "delete", Listing]>([
    ["its listing is sold", "delete", offer("1", "5", { version: 2 })],
    ["its listing cannot be bought", "update", offer("1", "5", { version: 2, isInvalid: true })],
    ["its price changes", "update", offer("1", "6", { version: 2 })],
    ["a cheaper one is listed", "insert", offer("2", "4")],
    ["a cheaper one is free again", "update", offer("2", "4")],
    ["an item without a card is listed", "insert", one("9")],
  ])("asks the server when %s", (_, type, document) => {
    show([[offer("1", "5")]], only, true);
    tell(type, document);
    expect(asksAgain(only)).toBe(true);
    expect(shown(only)).toEqual([["1"]]);
  });

  it.each<[string, "insert" | "update" | "delete", Listing]>([
    ["its listing is held, which it shows", "update", offer("1", "5", { version: 2, ...held })],
    ["a dearer one is listed", "insert", offer("2", "6")],
    ["a cheaper one is held", "update", offer("2", "4", held)],
    ["a dearer one is sold", "delete", offer("2", "6")],
    ["an older state arrives", "update", offer("1", "4", { version: 0 })],
  ])("stays when %s", (_, type, document) => {
    show([[offer("1", "5")]], only, true);
    tell(type, document);
    expect(asksAgain(only)).toBe(false);
    expect(shown(only)).toEqual([["1"]]);
  });
});

describe("a list with one card per item", () => {
  const only = { cheapest: true };
  const offer = (listingId: string, price: string, more: Partial<Listing> = {}) =>
    one(listingId, { tokenId: "7", price, pricePerToken: `${price}000000`, ...more });

  it("shows each item once, although its cheapest listing changed between two pages", () => {
    const pages = [{ items: [offer("1", "5"), one("3")], nextCursor: "next" }, { items: [offer("2", "6"), one("4")] }];
    expect(listingsOf(pages, true).map((l) => l.listingId)).toEqual(["1", "3", "4"]);
    expect(totalOf(pages, true)).toEqual({ n: 3, atLeast: false });
  });

  it("is fetched again half a minute after a hold, which may have changed an item's cheapest", async () => {
    vi.useFakeTimers();
    vi.spyOn(globalThis, "fetch").mockImplementation(async () => HttpResponse.json({ items: [] }));
    show([[offer("1", "5")]], only, true);
    tell("update", one("9"));
    await vi.advanceTimersByTimeAsync(30_000);
    show([[offer("1", "5")]], only, true);
    tell("update", { ...one("9"), version: 2, inCartItems: [hold({})] });
    await vi.advanceTimersByTimeAsync(29_999);
    expect(asksAgain(only)).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(asksAgain(only)).toBe(true);
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
});

describe("an item's lowest price", () => {
  const figures = { contract, tokenId: "7", offers: 3, floor: "5", lastSale: "4" };
  const offer = (price: string, version = 1) => one("2", { tokenId: "7", price, version });
  const floor = () => queryClient.getQueryData<{ pages: ListingPage[] }>(marketKeys.filtered(filters()))?.pages[0]?.tokens?.[0]?.floor;

  beforeEach(() => {
    queryClient.setQueryData(marketKeys.filtered(filters()), { pages: [{ items: [one("1")], tokens: [figures] }], pageParams: [""] });
  });

  it("is that of a new cheaper offer, and not known once that has gone", () => {
    tell("insert", offer("3.5"));
    expect(floor()).toBe("3.5");
    tell("delete", offer("3.5", 2));
    expect(floor()).toBeUndefined();
  });

  it("is not known once its offer is dearer", () => {
    tell("update", offer("5"));
    expect(floor()).toBe("5");
    tell("update", offer("6", 2));
    expect(floor()).toBeUndefined();
  });

  // Spec: MARKET-14
  it("is that of the server half a minute after a deal, with the last sale, also of an item that had no figures", async () => {
    vi.useFakeTimers();
    let asked: string[] = [];
    server.use(
      http.get("*/api/marketplace/items", () => HttpResponse.json({}, { status: 400 }), { once: true }), // it is asked again
      http.get("*/api/marketplace/items", ({ request }) => {
        asked = new URL(request.url).searchParams.getAll("item");
        const tokens = [
          { contract, tokenId: "7", offers: 2, floor: "6", lastSale: "5" },
          { contract, tokenId: "8", offers: 1, floor: "9" },
        ];
        return HttpResponse.json({ items: [], tokens });
      }),
      http.get("*/api/marketplace/listings", () => HttpResponse.json({ items: [] })),
    );
    queryClient.setQueryData(marketKeys.filtered(filters()), {
      pages: [{ items: [one("1", { tokenId: "7" })], tokens: [figures] }],
      pageParams: [""],
    });
    tell("insert", one("3", { tokenId: "8" }));
    tell("delete", one("4", { tokenId: "7", price: "5" }));
    tell("delete", one("5", { tokenId: "99" }));
    await vi.advanceTimersByTimeAsync(30_000);
    expect(asked).toEqual([]);
    await vi.advanceTimersByTimeAsync(30_000);
    vi.useRealTimers();
    const tokens = () => queryClient.getQueryData<{ pages: ListingPage[] }>(marketKeys.filtered(filters()))?.pages[0]?.tokens;
    await vi.waitFor(() => expect(tokens()).toHaveLength(2));
    expect(tokens()).toEqual([
      { contract, tokenId: "7", offers: 2, floor: "6", lastSale: "5" },
      { contract, tokenId: "8", offers: 1, floor: "9" },
    ]);
    expect(asked.toSorted()).toEqual([`${contract.toLowerCase()}:7`, `${contract.toLowerCase()}:8`]);
  });

  it("stays when dearer offers come and go", () => {
    tell("insert", offer("6"));
    tell("delete", offer("6", 2));
    expect(floor()).toBe("5");
  });
});

describe("readFilters", () => {
  const read = (query: string) => readFilters(new URLSearchParams(query));
  it("asks for nothing in particular by default", () => expect(read("")).toEqual(filters()));
  it("reads what is given", () => {
    expect(read("collection=avatars&q= sun &rarity=epic&min=1,5&max=20&sort=price-desc")).toEqual(
      filters({ collection: "avatars", q: "sun", rarity: ["epic"], min: "1.5", max: "20", sort: "price-desc" }),
    );
  });
  it("ignores what is no filter's value", () => {
    expect(read("rarity=shiny&min=-1&max=1e9&sort=best&q=")).toEqual(filters());
    expect(read(`q=${"x".repeat(500)}`).q).toHaveLength(100);
  });
  it("reads several rarities, repeated or separated by commas, lowest first", () => {
    expect(read("rarity=mythic&rarity=rare,shiny,mythic").rarity).toEqual(["rare", "mythic"]);
  });
  it("ignores a highest price below the lowest", () => expect(read("min=5&max=1")).toEqual(filters({ min: "5" })));
});

describe("rangeProblems", () => {
  it.each([
    ["", ""],
    ["0", ""],
    ["1,5", "1.5"],
    [" 12.500000 ", "13"],
  ])("accepts from %o to %o", (min, max) => expect(rangeProblems(min, max)).toEqual({ min: undefined, max: undefined }));
  it.each([
    ["-1", "", { min: "A price is 0 or more." }],
    ["ten", "", { min: "Enter a number with at most 6 decimals, such as 12.50." }],
    [
      "1.1234567",
      "1e9",
      { min: "Enter a number with at most 6 decimals, such as 12.50.", max: "Enter a number with at most 6 decimals, such as 12.50." },
    ],
    ["", "1,000", { max: "Write it without a comma: 1000, or 12.50." }],
    ["5", "1", { max: "The highest price is below the lowest." }],
  ])("refuses from %o to %o, at the field", (min, max, problems) =>
    expect(rangeProblems(min, max)).toEqual({ ...{ min: undefined, max: undefined }, ...problems }),
  );
});

it("the market is asked for 30 listings at once", async () => {
  let query = "";
  server.use(
    http.get("*/api/marketplace/listings", ({ request }) => {
      query = new URL(request.url).search;
      return HttpResponse.json({ items: [], total: 0 });
    }),
  );
  await queryClient.fetchInfiniteQuery(listingsQuery(filters()));
  expect(query).toBe("?sort=newest&limit=30");
});

describe("an item's activity", () => {
  const key = marketKeys.activity(contract, "1");
  const asks = () => queryClient.getQueryState(key)?.isInvalidated;
  const known = one("1", { quantity: 2 });
  beforeEach(() => {
    tell("update", known); // the previous state is unknown
    queryClient.setQueryData(key, { pages: [], pageParams: [] });
  });

  // Spec: MARKET-9
  it("is asked for again after a sale, a new price or a new end, and not for a hold", () => {
    tell("update", { ...known, version: 2, inCartItems: [hold()] });
    expect(asks()).toBe(false);
    for (const change of [{ quantity: 1 }, { price: "9", pricePerToken: "9000000" }, { endTimestamp: 1 }]) {
      queryClient.setQueryData(key, { pages: [], pageParams: [] });
      tell("update", known);
      queryClient.setQueryData(key, { pages: [], pageParams: [] });
      tell("update", { ...known, version: 2, ...change });
      expect(asks()).toBe(true);
    }
  });

  it("is asked for again when a listing begins or ends", () => {
    tell("insert", one("2", { tokenId: "1" }));
    expect(asks()).toBe(true);
    queryClient.setQueryData(key, { pages: [], pageParams: [] });
    tell("delete", one("2", { tokenId: "1", version: 2 }));
    expect(asks()).toBe(true);
  });
});

describe("the cheapest of a kind", () => {
  const sword = (id: string, price: string, some: Partial<Listing> = {}) =>
    one(id, {
      price,
      pricePerToken: `${price}000000`,
      metadata: { ...one(id).metadata, attributes: [{ trait_type: "Kind", value: "Sword" }] },
      ...some,
    });
  const kind = { collection: "game-items", trait: "Sword", rarity: "" };
  const key = marketKeys.ofKind(kind);
  const show = (more: boolean) => queryClient.setQueryData<OfKind>(key, { items: [sword("1", "5"), sword("2", "7")], more });
  const shown = () => queryClient.getQueryData<OfKind>(key)?.items.map((l) => l.listingId);
  const asks = () => queryClient.getQueryState(key)?.isInvalidated;

  it("follow what is listed, sold and repriced", () => {
    show(false);
    tell("insert", sword("3", "6"));
    tell("insert", sword("4", "9"));
    expect(shown()).toEqual(["1", "3", "2", "4"]);
    tell("insert", { ...sword("5", "1"), metadata: { ...one("5").metadata, attributes: [{ trait_type: "Kind", value: "Axe" }] } });
    tell("update", sword("1", "8", { version: 2 }));
    tell("delete", sword("2", "7", { version: 2 }));
    expect(shown()).toEqual(["3", "1", "4"]);
    expect(asks()).toBe(false);
  });

  it("are asked for again where others may come before", () => {
    show(true);
    tell("insert", sword("3", "9"));
    expect([shown(), asks()]).toEqual([["1", "2"], false]);
    tell("update", sword("1", "8", { version: 2 }));
    expect([shown(), asks()]).toEqual([["2"], true]);
  });

  it("do not go back to an older state", () => {
    queryClient.setQueryData<OfKind>(key, { items: [sword("1", "5", { version: 3 })], more: false });
    tell("delete", sword("1", "5", { version: 2 }));
    expect(shown()).toEqual(["1"]);
  });
});
