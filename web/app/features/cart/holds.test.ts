import { beforeEach, describe, expect, it, vi } from "vitest";
import { cart, cartItem, hold, listing, profile } from "../../../test/make";
import { cartOf, isOwn, ownTag, withListing, withLoaded, withoutExpired, withoutListing } from "./holds";

const me = profile();
const ask = vi.fn();
const mine = (index: number, more: { listingId?: string; updatedAt?: string } = {}) =>
  hold({ playFabId: ownTag(me, more.listingId ?? hold().listingId), index, ...more });

describe("ownTag", () => {
  it("is what the server computes", () => {
    // Go: market.Publisher{TagKey: []byte("key")}, HolderKey("A") and Tag("A", "7").
    const holderKey = "aa73b0ff1a8fbf6cda3c333f24bda8cb0df518449638086ae1d7de25b4f5dee3";
    expect(ownTag(profile({ holderKey }), "7")).toBe("3f360694042fdaac");
  });
  it("differs between listings", () => expect(ownTag(me, "1")).not.toBe(ownTag(me, "2")));
});

describe("isOwn", () => {
  // Spec: ACCESS-2, CART-7
  it("knows the player by id and by tag", () => {
    expect(isOwn(hold({ playFabId: me.AccountInfo.PlayFabId }), me)).toBe(true);
    expect(isOwn(hold({ playFabId: ownTag(me, hold().listingId) }), me)).toBe(true);
    expect(isOwn(hold({ playFabId: "somebody" }), me)).toBe(false);
  });
  it("owns nothing without a player", () => expect(isOwn(hold({ playFabId: "" }), null)).toBe(false));
});

describe("a change of a listing", () => {
  beforeEach(() => void ask.mockClear());

  // Spec: LIVE-20
  it("rebuilds the cart from the player's own holds in it", () => {
    const before = cart(cartItem({ listingId: "1", index: 0 }), cartItem({ listingId: "2", index: 0 }));
    const changed = listing({ listingId: "1", quantity: 3, inCartItems: [mine(1), hold({ index: 0 }), mine(2)] });
    expect(withListing(before, changed, me, ask).items.map((i) => [i.listingId, i.index])).toEqual([
      ["1", 1],
      ["1", 2],
      ["2", 0],
    ]);
  });

  it("takes the cart's items of a listing out when the player holds none of it any more", () => {
    const before = cart(cartItem({ listingId: "1" }), cartItem({ listingId: "2" }));
    const after = withListing(before, listing({ listingId: "1", inCartItems: [hold()] }), me, ask);
    expect(after.items.map((i) => i.listingId)).toEqual(["2"]);
    expect(after.totalItems).toBe(1);
  });

  it("leaves a cart alone that the listing has nothing to do with", () => {
    const before = cart(cartItem({ listingId: "2" }));
    expect(withListing(before, listing({ listingId: "1", inCartItems: [hold()] }), me, ask)).toBe(before);
  });

  it("asks the server about a unit that was not known to be held, and about no other", () => {
    const before = cart(cartItem({ listingId: "1", index: 0 }));
    withListing(before, listing({ listingId: "1", quantity: 2, inCartItems: [mine(0), hold({ index: 1 })] }), me, ask);
    expect(ask).not.toHaveBeenCalled();
    withListing(before, listing({ listingId: "1", quantity: 2, inCartItems: [mine(0), mine(1)] }), me, ask);
    expect(ask).toHaveBeenCalled();
  });

  it("that is older than what is known changes nothing", () => {
    const before = cart(cartItem({ listing: listing({ listingId: "1", version: 7 }) }));
    expect(withListing(before, listing({ listingId: "1", version: 6 }), me, ask)).toBe(before);
    expect(withoutListing(before, listing({ listingId: "1", version: 6 }))).toBe(before);
    expect(withListing(before, listing({ listingId: "1", version: 7 }), me, ask).items).toEqual([]);
  });

  // Spec: LIVE-22
  it("that was loaded with others rebuilds what the cart has of it when it is newer, and asks about what the cart has not", () => {
    const before = cart(cartItem({ listing: listing({ listingId: "1", version: 7 }) }));
    const loaded = (version: number, listingId = "1") => withLoaded(before, listing({ listingId, version, inCartItems: [] }), me, ask);
    expect(loaded(7)).toBe(before);
    expect(loaded(8).items).toEqual([]);
    expect(ask).not.toHaveBeenCalled();
    expect(withLoaded(before, listing({ listingId: "2", inCartItems: [mine(0)] }), me, ask)).toBe(before);
    expect(ask).toHaveBeenCalled();
  });

  it("keeps the order of the server: by when it was held, then by listing, then by unit", () => {
    const at = (updatedAt: string, listingId: string, index = 0) =>
      cartItem({ updatedAt, index, listing: listing({ listingId }), listingId });
    const before = cart(at("2026-11-20T10:00:00Z", "9"), at("2026-11-20T10:00:00.5Z", "8"));
    const changed = listing({
      listingId: "10",
      quantity: 2,
      inCartItems: [1, 0].map((index) => mine(index, { listingId: "10", updatedAt: "2026-11-20T10:00:00.000Z" })),
    });
    expect(withListing(before, changed, me, ask).items.map((i) => [i.listingId, i.index])).toEqual([
      ["10", 0],
      ["10", 1],
      ["9", 0],
      ["8", 0],
    ]);
  });

  it("remembers what an item cost when it was put in, and says that the price changed", () => {
    const before = cart(cartItem({ listingId: "1", priceWhenHeld: "12.5" }));
    const [item] = withListing(before, listing({ listingId: "1", price: "14", inCartItems: [mine(0)] }), me, ask).items;
    expect(item).toMatchObject({ priceWhenHeld: "12.5", changed: "price" });
  });

  it("says that a unit has gone when fewer are left, or the listing can't be bought", () => {
    const before = cart(cartItem({ listingId: "1", index: 1 }));
    expect(withListing(before, listing({ listingId: "1", quantity: 1, inCartItems: [mine(1)] }), me, ask).items[0]?.changed).toBe("gone");
    expect(
      withListing(before, listing({ listingId: "1", quantity: 2, isInvalid: true, inCartItems: [mine(1)] }), me, ask).items[0]?.changed,
    ).toBe("gone");
  });
});

describe("the cart", () => {
  // Spec: CART-4
  it("adds up exactly, without what has gone", () => {
    const items = [
      cartItem({ listing: listing({ listingId: "1", price: "0.1" }) }),
      cartItem({ listing: listing({ listingId: "2", price: "0.2" }) }),
      cartItem({ listing: listing({ listingId: "3", price: "5" }), changed: "gone" }),
    ];
    expect(cartOf(items)).toMatchObject({ total: "0.3", totalItems: 3 });
  });

  // Spec: LIVE-21
  it("loses a listing that has ended", () => {
    expect(
      withoutListing(cart(cartItem({ listingId: "1" }), cartItem({ listingId: "2" })), listing({ listingId: "1" })).items.map(
        (i) => i.listingId,
      ),
    ).toEqual(["2"]);
  });

  // Spec: CART-6
  it("loses holds at the moment they end, and is the same cart before", () => {
    const full = cart(cartItem({ expiresAt: "2026-11-20T10:10:00.000Z" }));
    const end = Date.parse("2026-11-20T10:10:00.000Z");
    expect(withoutExpired(full, end - 1)).toBe(full);
    expect(withoutExpired(full, end).items).toEqual([]);
  });
});
