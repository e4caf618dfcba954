import { type Cart, cartOf, ownTag } from "~/features/cart/holds";
import { isBought, isOpen, type Order } from "~/features/checkout/queries";
import type { Holding } from "~/features/holdings/queries";
import type { Filters, Item, ItemActivity, ItemEvent, Listing, ListingPage } from "~/features/market/queries";
import type { Profile } from "~/features/session/store";
import { clientConfig, contract, hold, item, listing, profile } from "./make";

/** A number from 0 up to, but not including, `below`. */
export type Random = (below: number) => number;

/** The same sequence for the same seed (mulberry32). */
export function random(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4_294_967_296) * below);
  };
}

interface Message {
  channelId: string;
  type: string;
  payload: unknown;
}

/** An entry of the outbox: a complete message, or a listing, whose message is built when it is sent. */
type Announcement = Message | { topic: "changed" | "new"; listingId: string };

/** A listing with the server's internal data. */
interface Row {
  listing: Listing;
  ended: boolean;
  /** The price at which each unit was added to the player's cart. */
  prices: Map<number, string>;
}

/** Listings per page in the model. */
const pageSize = 3;

const me = profile();
export const config = clientConfig();
/** The token whose page is open. */
export const lookedAt = "1";

export const everything: Filters = {
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
};

const base = Date.UTC(2026, 10, 20, 9);
const inOrder = (a: string, b: string) => (a < b ? -1 : Number(a > b));

/** The server's sort orders. */
const orders: Record<Filters["sort"], (a: Listing, b: Listing) => number> = {
  newest: (a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt) || inOrder(b._id, a._id),
  "price-asc": (a, b) => Number(a.price) - Number(b.price) || inOrder(a._id, b._id),
  "price-desc": (a, b) => Number(b.price) - Number(a.price) || inOrder(b._id, a._id),
  rarity: (a, b) => inOrder(b._id, a._id),
};

/**
 * The server's state, as far as a page shows it. Each change is one transaction and is announced after it, in order;
 * the message about a listing has the listing's state at the time it is sent. A response may be computed in several
 * steps.
 */
export class Model {
  readonly #rows: Row[] = [];
  readonly outbox: Announcement[] = [];
  #orders: Order[] = [];
  #name = "Ianthe";
  #usdc = 5_000_000;
  #packs = 0;
  #sales = 0;
  #created: number;
  #clock = 0;

  /** `first` is the number of the first listing: pages cache listings by number. */
  constructor(
    readonly pick: Random,
    first: number,
  ) {
    this.#created = first;
    for (let n = 0; n < 4 + pick(5); n++) this.#create();
    this.outbox.length = 0;
  }

  #now(): string {
    this.#clock += this.pick(2) * 500;
    return new Date(base + this.#clock).toISOString().replace(".000Z", "Z"); // in Go's time format
  }

  #row(listingId: string): Row | undefined {
    return this.#rows.find((row) => row.listing.listingId === listingId);
  }

  #price() {
    const whole = 1 + this.pick(5);
    return { price: String(whole), pricePerToken: String(whole * 1_000_000) };
  }

  /** Changes a listing in one transaction. */
  #change(row: Row, some: Partial<Listing>, topic: "changed" | "new" = "changed"): void {
    const { quantity } = { ...row.listing, ...some };
    const holds = some.inCartItems ?? row.listing.inCartItems;
    const kept = row.ended || some.isInvalid ? [] : holds.filter((h) => h.index < quantity);
    for (const h of holds) {
      if (kept.includes(h) || h.playFabId !== ownTag(me, h.listingId)) continue;
      const payload = { listingId: h.listingId, assetContractAddress: contract, index: h.index, message: "It has left your cart." };
      this.outbox.push({ channelId: "listing", type: "hold-ended", payload });
    }
    row.listing = { ...row.listing, ...some, inCartItems: kept, version: row.listing.version + 1 };
    this.outbox.push({ topic, listingId: row.listing.listingId });
  }

  #create(): void {
    const listingId = String(++this.#created);
    const metadata = listing().metadata;
    const row: Row = {
      listing: listing({
        listingId,
        tokenId: this.pick(3) ? listingId : lookedAt,
        seller: `0x${listingId.padStart(40, "0")}`, // each has its own: the server groups a seller's equal listings
        createdAt: this.#now(),
        quantity: 1 + this.pick(3),
        version: 0,
        ...this.#price(),
        metadata: { ...metadata, name: this.pick(2) ? "Blade" : "Moth", collection: this.pick(2) ? "game-items" : "avatars" },
      }),
      ended: false,
      prices: new Map(),
    };
    this.#rows.push(row);
    this.#change(row, {}, "new");
  }

  #hold(row: Row, playFabId: string): boolean {
    const { inCartItems, listingId, quantity, isInvalid } = row.listing;
    const unit = Array.from({ length: quantity }, (_, i) => i).find((i) => !inCartItems.some((h) => h.index === i));
    if (row.ended || isInvalid || unit === undefined) return false;
    row.prices.set(unit, row.listing.price);
    const held = hold({ playFabId, listingId, index: unit, updatedAt: this.#now(), expiresAt: "2126-11-20T10:10:00Z" });
    this.#change(row, { inCartItems: [...inCartItems, held].sort((a, b) => a.index - b.index) });
    return true;
  }

  #release(row: Row, index: number, playFabId: string): boolean {
    const left = row.listing.inCartItems.filter((h) => h.index !== index || h.playFabId !== playFabId);
    if (left.length === row.listing.inCartItems.length) return false;
    this.#change(row, { inCartItems: left });
    return true;
  }

  /** Makes a change that this page has not caused. */
  happen(): void {
    const live = this.#rows.filter((r) => !r.ended);
    const row = live[this.pick(2) ? 0 : this.pick(live.length)]; // one is traded more often than all others
    if (!row || this.pick(4) === 0) this.#elsewhere();
    else
      [this.#reprice, this.#sell, this.#invalidate, this.#restore, this.#holdElsewhere, this.#holdHere, this.#letGo][this.pick(7)]?.call(
        this,
        row,
      );
  }

  #reprice(row: Row): void {
    this.#change(row, this.#price());
  }

  #sell(row: Row): void {
    if (row.listing.tokenId === lookedAt) this.#sales++;
    row.ended = row.listing.quantity === 1;
    this.#change(row, { quantity: row.listing.quantity - 1, ...(row.ended && { isInvalid: true }) });
  }

  #invalidate(row: Row): void {
    row.ended = this.pick(2) === 0;
    this.#change(row, { isInvalid: true });
  }

  #restore(row: Row): void {
    this.#change(row, { isInvalid: false }, row.listing.isInvalid ? "new" : "changed");
  }

  #holdElsewhere(row: Row): void {
    this.#hold(row, "tag-of-another");
  }

  /** In another of the player's windows. */
  #holdHere(row: Row): void {
    this.#hold(row, ownTag(me, row.listing.listingId));
  }

  #letGo(row: Row): void {
    const held = row.listing.inCartItems[0];
    if (held) this.#release(row, held.index, held.playFabId);
  }

  #elsewhere(): void {
    const changed = (address: string) => this.outbox.push({ channelId: "holdings", type: "change", payload: { contracts: [address] } });
    const which = this.pick(5);
    if (which === 0) this.#create();
    else if (which > 2) this.#order();
    else if (which === 1) {
      this.#usdc += 1 + this.pick(1_000_000);
      changed(config.currency.address);
    } else {
      this.#packs++;
      changed(config.contracts.chests);
    }
  }

  #move(order: Order, state: Order["state"]): void {
    const at = this.#now();
    const next = { ...order, state, timeline: [...order.timeline, { state, at, detail: state }] };
    this.#orders = this.#orders.map((o) => (o === order ? next : o));
    this.outbox.push({ channelId: "order", type: "update", payload: { orderId: order.orderId, state } });
  }

  /** Another of the player's windows places, cancels or pays an order, or the chain settles it. */
  #order(): void {
    const open = this.#orders.find(isOpen);
    if (open?.state === "submitted") this.#move(open, "confirming");
    else if (open?.state === "confirming") this.#move(open, this.pick(2) ? "complete" : "failed");
    else if (open && this.pick(2)) this.#move(open, this.pick(2) ? "submitted" : "expired");
    else {
      if (open) this.#move(open, "expired");
      const times = { createdAt: this.#now(), expiresAt: "2126-11-20T10:10:00Z" };
      const orderId = `ORDER${this.#created}-${this.#orders.length}`;
      const order = {
        orderId,
        items: [],
        currency: "",
        total: "1",
        totalUnits: "1",
        calls: [],
        timeline: [],
        userOpHash: null,
        txHash: null,
        ...times,
      };
      this.#orders.push({ ...order, state: "awaiting-payment" });
      this.#move(this.#orders.at(-1) as Order, "awaiting-payment");
    }
  }

  order(orderId: string): Order | undefined {
    return this.#orders.find((o) => o.orderId === orderId);
  }

  openOrder(): Order | undefined {
    return this.#orders.find(isOpen);
  }

  /** The order that a newly loaded page shows if the browser has stored the given one. */
  shownOrder(kept: string | undefined): Order | null {
    const known = (kept && this.order(kept)) || null;
    return known && (isOpen(known) || isBought(known)) ? known : (this.openOrder() ?? known);
  }

  /** Cancels an unpaid order; undefined for any other. */
  cancel(orderId: string): Order | undefined {
    const order = this.order(orderId);
    if (order?.state !== "awaiting-payment") return undefined;
    this.#move(order, "expired");
    return this.order(orderId);
  }

  rename(name: string): void {
    this.#name = name;
  }

  profile(smartWalletAddress: string): Profile {
    const { AccountInfo, ...rest } = profile({ smartWalletAddress });
    return { ...rest, AccountInfo: { ...AccountInfo, TitleInfo: { ...AccountInfo.TitleInfo, DisplayName: this.#name } } };
  }

  /** Takes the next message from the outbox; several changes of a listing may be merged into one message. */
  tell(): Message | undefined {
    const next = this.outbox.shift();
    if (!next || !("topic" in next)) return next;
    const { topic, listingId } = next;
    if (topic === "changed" && this.pick(2)) {
      const same = (a: Announcement) => "topic" in a && a.topic === topic && a.listingId === listingId;
      if (this.outbox.some(same)) return undefined; // a later message covers it
    }
    const row = this.#row(listingId);
    if (!row) return undefined;
    const type = row.ended ? "delete" : topic === "new" ? "insert" : "update";
    return { channelId: "live-listings-change", type, payload: { document: row.listing, assetContractAddress: contract } };
  }

  /** All matching listings, in order. */
  list({ collection, q, min, max, sort }: Filters): Listing[] {
    return this.#rows
      .filter(({ ended, listing: l }) => !ended && !l.isInvalid)
      .map((row) => row.listing)
      .filter((l) => !collection || l.metadata.collection === collection)
      .filter((l) => !q || l.metadata.name.includes(q))
      .filter((l) => !(min && Number(l.price) < Number(min)) && !(max && Number(l.price) > Number(max)))
      .sort(orders[sort]);
  }

  /** A page; the cursor is the last listing of the previous page, as it was then. */
  page(filters: Filters, cursor: string | null): ListingPage {
    const all = this.list(filters);
    const end = cursor && (JSON.parse(cursor) as Listing);
    const left = end ? all.filter((l) => orders[filters.sort](end, l) < 0) : all;
    const items = left.slice(0, pageSize);
    const more = left.length > pageSize && { nextCursor: JSON.stringify(items.at(-1)) };
    return { items, ...(!end && { total: all.length }), ...more };
  }

  /** The cart is computed in two reads, the holds and then their listings, between which the state may change. */
  *cart(): Generator<void, Cart> {
    const held = this.#rows.flatMap((row) =>
      row.listing.inCartItems
        .filter((h) => h.playFabId === ownTag(me, h.listingId))
        .map((h) => ({ row, ...h, playFabId: me.AccountInfo.PlayFabId, priceWhenHeld: row.prices.get(h.index) ?? "" })),
    );
    yield;
    const items = held.map(({ row: { listing: l }, ...item }) => {
      const changed = l.isInvalid || item.index >= l.quantity ? ("gone" as const) : item.priceWhenHeld !== l.price && ("price" as const);
      return { ...item, ...(changed && { changed }), listing: l };
    });
    return cartOf(
      items.sort((a, b) => Date.parse(a.updatedAt) - Date.parse(b.updatedAt) || inOrder(a.listing._id, b.listing._id) || a.index - b.index),
    );
  }

  /** A token's page is also computed in two reads. */
  *item(): Generator<void, Item> {
    const listings = this.list({ ...everything, sort: "price-asc" }).filter((l) => l.tokenId === lookedAt);
    yield;
    return item({ tokenId: lookedAt, listings, sales: this.#sold() });
  }

  history(): { items: object[] } {
    return { items: this.#sold().map(({ quantity }) => ({ time: "", price: "1", quantity })) };
  }

  activity(): ItemActivity {
    const sold: ItemEvent = { id: "", kind: "sold", time: "", txHash: "" };
    return { items: this.#sold().map((_, i) => ({ ...sold, id: String(i) })), names: {} };
  }

  #sold(): Item["sales"] {
    const sale = { listingId: "", seller: "", buyer: "", quantity: 1, unitPrice: "1", total: "1", txHash: "", time: "" };
    return Array.from({ length: this.#sales }, () => sale);
  }

  collections(): { items: object[] } {
    const items = ["game-items", "avatars"].map((slug) => ({
      contract,
      slug,
      listed: this.list({ ...everything, collection: slug }).length,
    }));
    return { items };
  }

  packs(): { total: number; items: Holding[] } {
    const metadata = listing().metadata;
    return {
      total: this.#packs,
      items: [{ contract: config.contracts.chests, tokenId: "1", amount: String(this.#packs), wallet: "smart", metadata }],
    };
  }

  usdc(): number {
    return this.#usdc;
  }

  /** Applies a call that changes the cart; returns whether it succeeded. */
  changeCart(
    action: string,
    { newItem, removedItem }: { newItem?: { listingId: string }; removedItem?: { listingId: string; index: number } },
  ): boolean {
    if (action === "addToCart") {
      const row = this.#row(newItem?.listingId ?? "");
      return row !== undefined && this.#hold(row, ownTag(me, row.listing.listingId));
    }
    if (action === "removeFromCart") {
      const row = this.#row(removedItem?.listingId ?? "");
      return row !== undefined && this.#release(row, removedItem?.index ?? 0, ownTag(me, row.listing.listingId));
    }
    for (const row of this.#rows) {
      const left = row.listing.inCartItems.filter((h) => h.playFabId !== ownTag(me, h.listingId));
      if (left.length < row.listing.inCartItems.length) this.#change(row, { inCartItems: left });
    }
    return true;
  }
}
