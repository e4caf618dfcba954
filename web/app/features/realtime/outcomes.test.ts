import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { logout } from "~/features/session/session";
import { dispatch } from "./messages";
import {
  keepOutcomes,
  openKodResult,
  transactionResults,
  userArks,
  userKODPacks,
  userListings,
  userPiggyBanks,
  webstoreMessage,
} from "./outcomes";

let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  stop = keepOutcomes();
});

afterEach(async () => {
  await logout();
  stop();
  vi.useRealTimers();
});

const tell = (channelId: string, type: string, payload: object) => dispatch({ channelId, type, payload });
const result = (success: boolean) => ({ txId: "0x1", success, listingId: "7", errorMessage: success ? "" : "No." });

describe("a result of the player's listings", () => {
  // Spec: LIVE-13
  it.each([
    ["new", true, "newListingCompleted"],
    ["new", false, "newListingError"],
    ["remove", true, "removeListingCompleted"],
    ["remove", false, "removeListingError"],
  ])("of kind %s, success %s, raises %s alone, for a second", (type, success, flag) => {
    tell("listing", type, result(success));
    expect(userListings.get()).toEqual({ ...userListings.initial, [flag]: true });
    vi.advanceTimersByTime(999);
    expect(userListings.get()).toMatchObject({ [flag]: true });
    vi.advanceTimersByTime(1);
    expect(userListings.get()).toEqual(userListings.initial);
  });

  it("takes the place of the one before, and has a second of its own", () => {
    tell("listing", "new", result(false));
    vi.advanceTimersByTime(600);
    tell("listing", "new", result(true));
    expect(userListings.get()).toMatchObject({ newListingCompleted: true, newListingError: false });
    vi.advanceTimersByTime(600);
    expect(userListings.get().newListingCompleted).toBe(true);
    vi.advanceTimersByTime(400);
    expect(userListings.get()).toEqual(userListings.initial);
  });

  it("leaves the other kind alone", () => {
    tell("listing", "new", result(true));
    tell("listing", "remove", result(false));
    expect(userListings.get()).toMatchObject({ newListingCompleted: true, removeListingError: true });
  });

  it("is not what the end of a hold is", () => {
    tell("listing", "hold-ended", { listingId: "7", assetContractAddress: "0x1", index: 0, message: "Gone." });
    expect(userListings.get()).toEqual(userListings.initial);
  });
});

describe("a purchase of packs", () => {
  // Spec: LIVE-9
  it("is completed for a second", () => {
    tell("kod-pack", "purchase-complete", { txId: "0x1", success: true, productId: "1", errorMessage: "" });
    expect(userKODPacks.get()).toMatchObject({ purchaseCompleted: true, purchaseError: false });
    vi.advanceTimersByTime(1_000);
    expect(userKODPacks.get().purchaseCompleted).toBe(false);
  });

  // Spec: LIVE-9
  it("that failed says so for a second, and why until the next", () => {
    tell("kod-pack", "purchase-complete", { txId: "0x1", success: false, errorMessage: "Sold out." });
    expect(userKODPacks.get()).toMatchObject({ purchaseCompleted: false, purchaseError: true, errorMessage: "Sold out." });
    vi.advanceTimersByTime(1_000);
    expect(userKODPacks.get()).toMatchObject({ purchaseError: false, errorMessage: "Sold out." });
    tell("kod-pack", "purchase-complete", { txId: "0x2", success: true });
    expect(userKODPacks.get().errorMessage).toBe("");
  });
});

describe("the number of packs left", () => {
  const left = (generalPacksRemaining: number, avatarPacksRemaining: number, godPacksRemaining: number) => {
    tell("kod-pack", "inventory-change", { generalPacksRemaining, avatarPacksRemaining, godPacksRemaining });
    const { generalPacksAvailable, avatarPacksAvailable, godPacksAvailable } = userKODPacks.get();
    return [generalPacksAvailable, avatarPacksAvailable, godPacksAvailable];
  };

  // Spec: LIVE-10, PACK-1
  it("only ever decreases, each kind by itself", () => {
    expect(left(500, 200, 50)).toEqual([500, 200, 50]);
    expect(left(499, 210, 50)).toEqual([499, 200, 50]);
    expect(left(600, 0, 49)).toEqual([499, 0, 49]);
    expect(left(600, 5, 60)).toEqual([499, 0, 49]);
  });

  // Spec: SESSION-5
  it("is not known any more when the session has ended, also when that is on a page where nobody listens", async () => {
    left(500, 200, 50);
    stop();
    await logout();
    expect(userKODPacks.get()).toEqual(userKODPacks.initial);
  });
});

describe("a burn of piggy banks", () => {
  const burnt = (success: boolean, isVipPiggy: boolean, fateAmount = 0) =>
    tell("piggy-bank", "burn", { txId: "0xb1", success, fateAmount, isVipPiggy });

  // Spec: LIVE-14
  it.each([
    [false, true, "burnCompleted"],
    [false, false, "burnError"],
    [true, true, "vipBurnCompleted"],
    [true, false, "vipBurnError"],
  ])("that are VIP: %s, success %s, raises %s alone, for a second", (vip, success, flag) => {
    burnt(success, vip);
    expect(userPiggyBanks.get()).toEqual({ ...userPiggyBanks.initial, [flag]: true });
    vi.advanceTimersByTime(999);
    expect(userPiggyBanks.get()).toMatchObject({ [flag]: true });
    vi.advanceTimersByTime(1);
    expect(userPiggyBanks.get()).toEqual(userPiggyBanks.initial);
  });

  // Spec: LIVE-14
  it("tells the fate of VIP banks until the next result", () => {
    burnt(true, true, 250);
    vi.advanceTimersByTime(1_000);
    burnt(true, false, 50);
    expect(userPiggyBanks.get()).toMatchObject({ vipFateAmount: 250, burnCompleted: true, vipBurnCompleted: false });
    burnt(false, true, 0);
    expect(userPiggyBanks.get()).toMatchObject({ vipFateAmount: 0, vipBurnError: true });
  });

  // Spec: LIVE-15
  it("is kept with its transaction: one result for each kind", () => {
    burnt(true, false, 50);
    burnt(true, true, 250);
    expect(transactionResults.get().results).toEqual([
      { txId: "0xb1", success: true, fateAmount: 50, isVipPiggy: false },
      { txId: "0xb1", success: true, fateAmount: 250, isVipPiggy: true },
    ]);
  });
});

describe("arks", () => {
  // Spec: LIVE-15
  it("that were broken up have their result by their transaction, which is the message's type", () => {
    tell("ark", "0xa1", { txId: "0xa1", success: true, rewards: { d0: 12, gt: 9 } });
    tell("ark", "0xa2", { txId: "0xa2", success: false, rewards: {} });
    expect(userArks.get().processedTransactions).toEqual({
      "0xa1": { success: true, rewards: { d0: 12, gt: 9 } },
      "0xa2": { success: false, rewards: {} },
    });
  });
});

describe("an opening of a pack", () => {
  const itemDropped = { contract: "0xc1", tokenId: "7", name: "Aspis", image: "/x.svg", rarity: "rare" };
  const opened = (some: object) =>
    tell("kod-pack", "open", { txId: "0x1", openingId: "1", itemDropped: null, packLevel: "", error: "", ...some });

  // Spec: LIVE-11
  it("records the item that dropped", () => {
    opened({ itemDropped, packLevel: "General" });
    expect(openKodResult.get()).toEqual({ data: { itemDropped }, error: "", packLevel: "General" });
  });

  // Spec: LIVE-11, LIVE-12
  it("that failed records why, and the level", () => {
    opened({ error: "No.", packLevel: "God" });
    expect(openKodResult.get()).toEqual({ data: null, error: "No.", packLevel: "God" });
  });

  // Spec: LIVE-12
  it("that failed without a reason and a level has the defaults of both", () => {
    tell("kod-pack", "open", { txId: "0x1", openingId: "1" });
    expect(openKodResult.get()).toEqual({ data: null, error: "Could not open KOD pack.", packLevel: "KOD" });
  });

  it("of a drop without a token did not fail", () => {
    opened({});
    expect(openKodResult.get()).toMatchObject({ data: { itemDropped: null }, error: "" });
  });
});

describe("what a product of the webstore gave", () => {
  // Spec: LIVE-16
  it("is kept until the next message", () => {
    const packReward = { name: "Ferryman's Knife", rarity: "rare", openingId: "9" };
    const packOtherRewards = [{ kind: "currency", detail: { code: "ig", amount: 5 } }];
    tell("webstore", "kod-pack-reward", { success: true, error: "", variationId: 101, packReward, packOtherRewards });
    expect(webstoreMessage.get().destinyPack).toEqual({ success: true, error: "", variationId: 101, packReward, packOtherRewards });
    tell("webstore", "refetch-products", { userId: "1" });
    expect(webstoreMessage.get().destinyPack.success).toBe(true);
    tell("webstore", "kod-pack-reward", { success: false, error: "No.", variationId: 102, packReward: null, packOtherRewards: [] });
    expect(webstoreMessage.get().destinyPack).toEqual({
      success: false,
      error: "No.",
      variationId: 102,
      packReward: null,
      packOtherRewards: [],
    });
  });
});

describe("results", () => {
  it("of burns and openings are not known any more when the session has ended", async () => {
    tell("piggy-bank", "burn", { txId: "0xb1", success: true, fateAmount: 250, isVipPiggy: true });
    tell("ark", "0xa1", { txId: "0xa1", success: true, rewards: {} });
    tell("kod-pack", "open", { txId: "0x1", openingId: "1", itemDropped: null, packLevel: "", error: "No." });
    tell("webstore", "kod-pack-reward", { success: true, error: "", variationId: 101, packReward: null, packOtherRewards: [] });
    await logout();
    for (const store of [userPiggyBanks, transactionResults, userArks, openKodResult, webstoreMessage])
      expect(store.get()).toEqual(store.initial);
  });

  it("are no longer kept when that is stopped", () => {
    stop();
    tell("listing", "new", result(true));
    expect(userListings.get()).toEqual(userListings.initial);
  });
});
