import { describe, expect, it } from "vitest";
import { cart, cartItem, hold, listing, profile } from "../../../test/make";
import { cartOf, isOwn, withListing, withoutExpired, withoutListing } from "./holds";

const me = profile();
const mine = (index: number, more = {}) => hold({ playFabId: me.cartTag, index, ...more });

describe("isOwn", () => {
  it("knows the player by id and by tag", () => {
    expect(isOwn(hold({ playFabId: me.AccountInfo.PlayFabId }), me)).toBe(true);
    expect(isOwn(hold({ playFabId: me.cartTag }), me)).toBe(true);
    expect(isOwn(hold({ playFabId: "somebody" }), me)).toBe(false);
  });
  it("owns nothing without a player", () => expect(isOwn(hold({ playFabId: "" }), null)).toBe(false));
});

describe("a change of a listing", () => {
  it("rebuilds the cart from the player's own holds in it", () => {
    const before = cart(cartItem({ listingId: "1", index: 0 }), cartItem({ listingId: "2", index: 0 }));
    const changed = listing({ listingId: "1", quantity: 3, inCartItems: [mine(1), hold({ index: 0 }), mine(2)] });
    expect(withListing(before, changed, me).items.map((i) => [i.listingId, i.index])).toEqual([
      ["2", 0],
      ["1", 1],
      ["1", 2],
    ]);
  });

  it("takes the cart's items of a listing out when the player holds none of it any more", () => {
    const before = cart(cartItem({ listingId: "1" }), cartItem({ listingId: "2" }));
    const after = withListing(before, listing({ listingId: "1", inCartItems: [hold()] }), me);
    expect(after.items.map((i) => i.listingId)).toEqual(["2"]);
    expect(after.totalItems).toBe(1);
  });

  it("leaves a cart alone that the listing has nothing to do with", () => {
    const before = cart(cartItem({ listingId: "2" }));
    expect(withListing(before, listing({ listingId: "1", inCartItems: [hold()] }), me)).toBe(before);
  });

  it("remembers what an item cost when it was put in, and says that the price changed", () => {
    const before = cart(cartItem({ listingId: "1", priceWhenHeld: "12.5" }));
    const [item] = withListing(before, listing({ listingId: "1", price: "14", inCartItems: [mine(0)] }), me).items;
    expect(item).toMatchObject({ priceWhenHeld: "12.5", changed: "price" });
  });

  it("says that a unit has gone when fewer are left, or the listing can't be bought", () => {
    const before = cart(cartItem({ listingId: "1", index: 1 }));
    expect(withListing(before, listing({ listingId: "1", quantity: 1, inCartItems: [mine(1)] }), me).items[0]?.changed).toBe("gone");
    expect(withListing(before, listing({ listingId: "1", quantity: 2, isInvalid: true, inCartItems: [mine(1)] }), me).items[0]?.changed).toBe("gone");
  });
});

describe("the cart", () => {
  it("adds up exactly, without what has gone", () => {
    const items = [
      cartItem({ listing: listing({ listingId: "1", price: "0.1" }) }),
      cartItem({ listing: listing({ listingId: "2", price: "0.2" }) }),
      cartItem({ listing: listing({ listingId: "3", price: "5" }), changed: "gone" }),
    ];
    expect(cartOf(items)).toMatchObject({ total: "0.3", totalItems: 3 });
  });

  it("loses a listing that has ended", () => {
    expect(withoutListing(cart(cartItem({ listingId: "1" }), cartItem({ listingId: "2" })), "1").items.map((i) => i.listingId)).toEqual(["2"]);
  });

  it("loses holds at the moment they end, and is the same cart before", () => {
    const full = cart(cartItem({ expiresAt: "2026-11-20T10:10:00.000Z" }));
    const end = Date.parse("2026-11-20T10:10:00.000Z");
    expect(withoutExpired(full, end - 1)).toBe(full);
    expect(withoutExpired(full, end).items).toEqual([]);
  });
});
