import { act } from "@testing-library/react";
import { type CartItem, cartOf } from "~/features/cart/holds";
import type { Order } from "~/features/checkout/queries";
import { dispatch } from "~/features/realtime/messages";
import { add } from "~/lib/amount";
import { cartItem, contract, listing, profile } from "./make";
import { HttpResponse, http, problem, server } from "./server";
import { market, usdc } from "./wallet";

interface Asked {
  orderId?: string;
  items?: { listingId: string; assetContractAddress: string; index: number; price: string }[];
  expectedTotal?: string;
}

/** A player's cart and orders on the server, with the server's checkout rules. */
export class Till {
  holds: CartItem[] = [];
  orders: Order[] = [];
  /** The bodies of the payment requests, and the paths of all requests that change something. */
  asked: Asked[] = [];
  changes: string[] = [];
  /** Refuses the next holds; undefined to allow them. */
  refuses: (() => Response) | undefined;
  private prices = new Map<string, string>();

  constructor(readonly player = profile().AccountInfo.PlayFabId) {
    const base = "*/api/auth/marketplace";
    server.use(
      http.get(`${base}/cart`, () => HttpResponse.json(cartOf(this.cart()))),
      http.post(`${base}/cart/addToCart`, async ({ request }) => {
        const { newItem } = (await request.json()) as { newItem: { listingId: string } };
        this.changes.push("add");
        if (this.refuses) return this.refuses();
        this.hold(newItem.listingId);
        return HttpResponse.json({ success: true });
      }),
      http.post(`${base}/cart/removeFromCart`, async ({ request }) => {
        const { removedItem } = (await request.json()) as { removedItem: { listingId: string; index: number } };
        this.changes.push("remove");
        this.release(removedItem.listingId, removedItem.index);
        return HttpResponse.json({ success: true });
      }),
      http.post(`${base}/cart/emptyCart`, () => {
        this.changes.push("empty");
        this.empty();
        return HttpResponse.json({ success: true });
      }),
      http.get(`${base}/checkout`, () => HttpResponse.json({ order: this.open() })),
      http.get(`${base}/checkout/:id`, ({ params }) => {
        const order = this.orders.find((o) => o.orderId === params.id);
        return order ? HttpResponse.json(order) : problem(404, "There is no such order.");
      }),
      http.post(`${base}/checkout`, async ({ request }) => this.start((await request.json()) as Asked)),
      http.delete(`${base}/checkout/:id`, ({ params }) => {
        const order = this.orders.find((o) => o.orderId === params.id);
        if (!order) return problem(404, "There is no such order.");
        this.changes.push("cancel");
        if (order.state !== "awaiting-payment")
          return problem(409, "The payment for this order is on its way and cannot be stopped.", { reason: "paying" });
        this.move(order, "expired", "You cancelled this order. Nothing was charged.");
        return HttpResponse.json(order);
      }),
    );
  }

  /** Sets the price of a listing; 12.5 by default. */
  price(listingId: string, price: string): void {
    this.prices.set(listingId, price);
    for (const item of this.holds) if (item.listingId === listingId) item.listing = { ...item.listing, price };
  }

  of(listingId: string) {
    return listing({ listingId, price: this.prices.get(listingId) ?? "12.5", quantity: 5 });
  }

  cart(): CartItem[] {
    return this.holds.filter((item) => Date.parse(item.expiresAt) > Date.now());
  }

  open(): Order | undefined {
    return this.orders.find(({ state }) => ["awaiting-payment", "submitted", "confirming"].includes(state));
  }

  hold(listingId: string, seconds = 600): CartItem {
    const taken = this.cart().map((item) => `${item.listingId}-${item.index}`);
    const index = [0, 1, 2, 3, 4].find((i) => !taken.includes(`${listingId}-${i}`)) ?? 0;
    const item = cartItem({
      listing: this.of(listingId),
      playFabId: this.player,
      index,
      updatedAt: new Date().toISOString(),
      expiresAt: new Date(Date.now() + seconds * 1000).toISOString(),
    });
    this.holds = [...this.cart(), item];
    return item;
  }

  /** Ends holds of a listing, and with them the unpaid order. */
  release(listingId: string, index?: number): void {
    this.holds = this.holds.filter((item) => item.listingId !== listingId || (index !== undefined && item.index !== index));
    const waiting = this.open();
    if (waiting?.items.some((item) => item.listingId === listingId))
      this.move(waiting, "expired", "Your cart changed, so this order ended. Nothing was charged.");
  }

  empty(): void {
    for (const { listingId } of this.cart()) this.release(listingId);
  }

  /** Marks the unpaid order as submitted, like the relay on accepting its operation. */
  submit(): void {
    const waiting = this.open();
    if (waiting?.state === "awaiting-payment") this.move(waiting, "submitted");
  }

  move(order: Order, state: Order["state"], error?: string): void {
    order.state = state;
    order.timeline = [...order.timeline, { state, at: new Date().toISOString(), detail: state }];
    if (error) order.error = error;
  }

  /** Sends the browser messages with the current state: of each listing, and of the newest order. */
  tell(...listingIds: string[]): void {
    act(() => {
      for (const id of listingIds) {
        const inCartItems = this.cart().filter((item) => item.listingId === id);
        dispatch({
          channelId: "live-listings-change",
          type: "update",
          payload: { document: { ...this.of(id), inCartItems }, assetContractAddress: contract },
        });
      }
      const order = this.orders.at(-1);
      if (order) dispatch({ channelId: "order", type: "update", payload: { orderId: order.orderId, state: order.state } });
    });
  }

  /** Creates an order from the cart, like the server. */
  place(): Order {
    const items: Order["items"] = [];
    for (const { listing: l } of this.cart()) {
      const line = items.find((item) => item.listingId === l.listingId);
      if (line) line.quantity++;
      else {
        const { listingId, tokenId, price, metadata } = l;
        items.push({ listingId, assetContractAddress: contract, tokenId, seller: market, quantity: 1, bought: 0, price, metadata });
      }
    }
    const order: Order = {
      orderId: `ORDER${this.orders.length + 1}`,
      state: "awaiting-payment",
      items,
      currency: usdc,
      total: cartOf(this.cart()).total,
      totalUnits: "1",
      // The calls identify what they buy: the first four bytes are the listing's number.
      calls: items.map(({ listingId, quantity }) => ({
        to: market,
        value: "0",
        data: `0x${listingId.padStart(8, "0")}${String(quantity).padStart(8, "0")}`,
      })),
      timeline: [{ state: "awaiting-payment", at: new Date().toISOString(), detail: "Order placed" }],
      userOpHash: null,
      txHash: null,
      createdAt: new Date().toISOString(),
      expiresAt: this.cart()[0]?.expiresAt ?? "",
    };
    this.orders = [...this.orders, order];
    return order;
  }

  private start(asked: Asked): Response {
    this.asked.push(asked);
    const old = this.open();
    if (old && old.state !== "awaiting-payment") return problem(409, "Your last payment is still on its way.", { reason: "paying" });
    if (asked.orderId) {
      if (old?.orderId === asked.orderId) return HttpResponse.json(old, { status: 201 });
      return problem(409, "This order is no longer waiting for its payment. Please look at your cart again.", { reason: "order-over" });
    }
    const cart = this.cart();
    const total = cart.reduce((sum, item) => add(sum, item.listing.price), "0");
    if (asked.items) {
      const shown = asked.items.map((item) => `${item.listingId}-${item.index}`).sort();
      if (
        shown.join() !==
        cart
          .map((item) => `${item.listingId}-${item.index}`)
          .sort()
          .join()
      )
        return problem(409, "Your cart has changed since this page was shown. Please check it again.", { reason: "cart-changed" });
      if (cart.some((item) => asked.items?.find((i) => i.listingId === item.listingId)?.price !== item.listing.price))
        return problem(409, `A price has changed: the total is now ${total} USDC.`, { reason: "price-changed" });
    }
    if (asked.expectedTotal !== undefined && asked.expectedTotal !== total)
      return problem(409, `A price has changed: the total is now ${total} USDC.`, { reason: "price-changed" });
    if (old) this.move(old, "expired", "Replaced by a newer order.");
    return HttpResponse.json(this.place(), { status: 201 });
  }
}
