import { QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter } from "react-router";
import { decodeFunctionData, type Hex, parseAbi } from "viem";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CartDrawer } from "~/features/cart/components/cart-drawer";
import { useLiveCart } from "~/features/cart/live";
import { dispatch } from "~/features/realtime/messages";
import { session } from "~/features/session/store";
import { disconnectWallet } from "~/features/wallet/connection";
import { busyTimeout } from "~/features/wallet/operation";
import { queryClient } from "~/lib/query";
import { keys } from "~/lib/storage";
import { contract, profile, signedIn } from "../../../test/make";
import { HttpResponse, http, problem, server } from "../../../test/server";
import { Till } from "../../../test/till";
import { answerWallet, owner, smart, type WalletWorld } from "../../../test/wallet";
import { Checkout } from "./components/checkout";

const accountAbi = parseAbi([
  "struct Call { address target; uint256 value; bytes data; }",
  "function executeBatch(Call[] calls) payable returns (bytes[])",
  "function execute(address target, uint256 value, bytes data) payable returns (bytes)",
]);

let world: WalletWorld;
let till: Till;

beforeEach(() => {
  disconnectWallet();
  signedIn({ smartWalletAddress: smart });
  world = answerWallet();
  till = new Till();
  world.accepted = () => till.submit();
  vi.spyOn(console, "warn").mockImplementation(() => {});
});

afterEach(() => vi.useRealTimers());

function Page() {
  useLiveCart();
  return <Checkout />;
}

function show(beside: React.ReactNode = null) {
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <Page />
        {beside}
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

/** Reloads the page: the browser's storage stays, the page's memory is lost. */
function reload() {
  cleanup();
  queryClient.clear();
  show();
}

const payButton = () => screen.findByRole("button", { name: /^(Pay|Try again)/ });
const line = async (name: string) => (await screen.findByRole("link", { name })).closest("li") as HTMLElement;
const lines = () => within(screen.getByRole("list")).getAllByRole("listitem");
const total = () => (screen.getByText("Total").closest("p") as HTMLElement).textContent;
const marked = async (name: string, text: string) =>
  expect(await within(await line(name)).findByText(text)).toHaveAttribute("role", "status");

/** The data of the calls of the last operation sent. */
function sentCalls(): Hex[] {
  const { functionName, args } = decodeFunctionData({ abi: accountAbi, data: world.sent?.callData as Hex });
  return functionName === "execute" ? [args[2]] : args[0].map((call) => call.data);
}

/** Holds an item, tries to pay while the signer does not respond, and ends with an unpaid order. */
async function payInVain(listingId: string) {
  till.hold(listingId);
  world.sign = () => problem(500, "The signer is away.");
  show();
  await userEvent.click(await payButton());
  expect(await screen.findByText("The signer is away.")).toHaveAttribute("role", "alert");
  expect(await screen.findByText(/This order is waiting for its payment/)).toBeInTheDocument();
  world.sign = () => HttpResponse.json({ signature: `0x${"5e".repeat(65)}` });
}

describe("what is paid is what is shown", () => {
  // Spec: PAY-8
  it.each([
    ["the same price", "12.5"],
    ["another price", "14"],
  ])("the wrong item is not bought: an order of A, then a cart of B at %s", async (_, price) => {
    till.price("2", price);
    await payInVain("1");
    till.empty();
    till.hold("2");
    till.tell("1", "2");

    await marked("Blade 1", "No longer in your cart.");
    expect(await screen.findByText("Your cart changed, so this order ended. Nothing was charged.")).toHaveAttribute("role", "status");
    expect(total()).toContain(Number(price).toFixed(2));
    expect(screen.queryByText("The signer is away.")).toBeNull();
    await userEvent.click(await payButton());
    expect(await screen.findByText("Your payment is on its way.")).toBeInTheDocument();
    expect(till.asked.at(-1)).toEqual({
      playFabId: till.player,
      items: [{ listingId: "2", assetContractAddress: contract, index: 0, price }],
      expectedTotal: price,
    });
    expect(sentCalls()).toEqual(["0x0000000200000001"]);
  });

  // Spec: PAY-8
  it.each([
    ["the same price", "12.5"],
    ["another price", "14"],
  ])("a page that heard of nothing names the order it shows, is refused, and pays B at %s when that is shown", async (_, price) => {
    till.price("2", price);
    await payInVain("1");
    till.empty();
    till.hold("2");
    expect(screen.queryByRole("link", { name: "Blade 2" })).toBeNull();

    world.sent = {};
    await userEvent.click(await payButton());
    expect(till.asked.at(-1)).toEqual({ playFabId: till.player, orderId: "ORDER1" });
    await marked("Blade 1", "No longer in your cart.");
    expect(await screen.findByText("Your cart changed, so this order ended. Nothing was charged.")).toHaveAttribute("role", "status");
    expect(screen.queryByText(/This order is no longer waiting for its payment/)).toBeNull();
    expect(world.sent).toEqual({});
    await line("Blade 2");
    await userEvent.click(await payButton());
    expect(await screen.findByText("Your payment is on its way.")).toBeInTheDocument();
    expect(till.asked.at(-1)?.items).toEqual([{ listingId: "2", assetContractAddress: contract, index: 0, price }]);
    expect(till.asked).toHaveLength(3);
  });

  it("a price that changed unnoticed is reported, shown, and paid with the next press", async () => {
    till.hold("1");
    show();
    const button = await payButton();
    till.price("1", "14");
    await userEvent.click(button);
    expect(await screen.findByText("A price has changed: the total is now 14 USDC.")).toHaveAttribute("role", "alert");
    await vi.waitFor(() => expect(total()).toContain("14.00"));
    await userEvent.click(await payButton());
    expect(await screen.findByText("Your payment is on its way.")).toBeInTheDocument();
    expect(till.asked.map((a) => a.expectedTotal)).toEqual(["12.5", "14"]);
  });

  it("a refusal refetches order, cart and balance", async () => {
    till.hold("1");
    show();
    const button = await payButton();
    await vi.waitFor(() => expect(button).toBeEnabled());
    till.hold("2");
    world.balance = 20_000_000n;
    await userEvent.click(button);
    expect(await screen.findByText(/Your cart has changed since this page was shown/)).toHaveAttribute("role", "alert");
    await line("Blade 2");
    expect(await screen.findByText("You do not have enough USDC for this.")).toBeInTheDocument();
    expect(await payButton()).toBeDisabled();
  });

  it("what the relay refuses because the order is over leads back to the cart, which says once why", async () => {
    till.hold("1");
    world.bundle = () => {
      till.empty();
      return { error: { code: -32000, message: "This order is over.", data: { reason: "order-over" } } };
    };
    show();
    await userEvent.click(await payButton());
    await marked("Blade 1", "No longer in your cart.");
    expect(await screen.findByText("Your cart changed, so this order ended. Nothing was charged.")).toHaveAttribute("role", "status");
    expect(screen.queryByText("This order is over.")).toBeNull();
    expect(await payButton()).toBeDisabled();
    act(() => queryClient.setQueryData(["order", till.player], null)); // the notice is dismissed
    await vi.waitFor(() => expect(screen.queryByText(/so this order ended/)).toBeNull());
    expect(screen.queryByText("This order is over.")).toBeNull();
  });

  it("a second press while a payment runs pays nothing more", async () => {
    till.hold("1");
    show();
    const button = await payButton();
    await vi.waitFor(() => expect(button).toBeEnabled());
    act(() => {
      button.click();
      button.click();
    });
    expect(await screen.findByText("Your payment is on its way.")).toBeInTheDocument();
    expect(till.asked).toHaveLength(1);
  });
});

describe("cancelling an order", () => {
  const cancelButton = () => screen.findByRole("button", { name: /^Cancel this order/ });

  // Spec: PAY-5
  it("leads to the cart, which still holds the units", async () => {
    await payInVain("1");
    await userEvent.click(await cancelButton());
    expect(await screen.findByText("You cancelled this order. Nothing was charged.")).toHaveAttribute("role", "status");
    expect(within(await line("Blade 1")).getByText(/Held for/)).toBeInTheDocument();
    expect(screen.getByRole("heading", { name: "Checkout" })).toHaveFocus();
    await userEvent.click(await payButton());
    expect(await screen.findByText("Your payment is on its way.")).toBeInTheDocument();
    expect(till.orders.map((o) => o.state)).toEqual(["expired", "submitted"]);
  });

  it("shows that it works, and takes no second press", async () => {
    let answer = () => {};
    await payInVain("1");
    server.use(
      http.delete("*/api/auth/marketplace/checkout/ORDER1", async () => {
        till.changes.push("cancel");
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
        return problem(503, "Not just now.");
      }),
    );
    await userEvent.click(await cancelButton());
    await vi.waitFor(() => expect(till.changes).toEqual(["cancel"]));
    expect(await cancelButton()).toHaveAttribute("aria-busy", "true");
    expect(await payButton()).toBeDisabled();
    await userEvent.click(await cancelButton());
    expect(till.changes).toEqual(["cancel"]);
    answer();
    expect(await screen.findByText("Not just now.")).toHaveAttribute("role", "alert");
    expect(await payButton()).toBeEnabled();
  });

  it("comes too late for a payment that is on its way, and shows it", async () => {
    await payInVain("1");
    till.move(till.orders[0] as never, "submitted"); // in another tab
    await userEvent.click(await cancelButton());
    expect(await screen.findByText("Your payment is on its way.")).toBeInTheDocument();
  });
});

describe("nothing vanishes by itself", () => {
  const clock = () => vi.useFakeTimers({ shouldAdvanceTime: true });

  // Spec: PAY-2, PAY-14
  it("what ran out stays, marked, and is neither counted nor paid", async () => {
    clock();
    till.hold("1", 60);
    till.hold("2");
    show();
    expect(await screen.findByText("2 items")).toBeInTheDocument();
    await act(() => vi.advanceTimersByTimeAsync(61_000));
    await marked("Blade 1", "Its time in your cart is up.");
    expect(screen.getByText("1 item")).toBeInTheDocument();
    expect(total()).toContain("12.50");
    till.tell("1"); // the server has ended it too
    await marked("Blade 1", "Its time in your cart is up.");
    expect(lines()).toHaveLength(2);
    expect(lines()[0]).toHaveTextContent("Blade 1");
    act(() => screen.getByRole("button", { name: /^Pay/ }).click());
    expect(await screen.findByText("Your payment is on its way.")).toBeInTheDocument();
    expect(till.asked[0]?.items?.map((item) => item.listingId)).toEqual(["2"]);
  });

  // Spec: PAY-14
  it("what was sold elsewhere or let go in another tab stays, marked", async () => {
    till.hold("1");
    till.hold("2");
    show();
    await line("Blade 2");
    till.release("1");
    till.tell("1");
    await marked("Blade 1", "No longer in your cart.");
    expect(within(await line("Blade 1")).getAllByRole("button", { name: /Add again/ })).toHaveLength(1);
    expect(within(await line("Blade 2")).queryByRole("button", { name: /Add again/ })).toBeNull();
    expect(await payButton()).toBeEnabled();
  });

  it("nothing is paid when nothing is held", async () => {
    till.hold("1");
    show();
    await line("Blade 1");
    till.release("1");
    till.tell("1");
    await marked("Blade 1", "No longer in your cart.");
    expect(await payButton()).toBeDisabled();
    expect(screen.getByText("0 items")).toBeInTheDocument();
    expect(screen.getByText(/Nothing here is reserved for you any more/)).toHaveAttribute("role", "status");
  });

  // Spec: PAY-14
  it("is held again with one press, or says why not", async () => {
    till.hold("1");
    show();
    await line("Blade 1");
    till.release("1");
    till.tell("1");
    till.refuses = () => problem(409, "All of these are in other players' carts.", { reason: "held" });
    const again = async () => within(await line("Blade 1")).findByRole("button", { name: /Add again/ });
    await userEvent.click(await again());
    expect(await within(await line("Blade 1")).findByText("All of these are in other players' carts.")).toHaveAttribute("role", "alert");
    expect(await again()).toBeInTheDocument();

    till.refuses = undefined;
    await userEvent.click(await again());
    expect(await within(await line("Blade 1")).findByText(/Held for/)).toBeInTheDocument();
    expect(screen.queryByText("No longer in your cart.")).toBeNull();
    expect(screen.queryByText("All of these are in other players' carts.")).toBeNull();
    expect(lines()).toHaveLength(1);
    expect(await payButton()).toBeEnabled();
    expect(screen.getByRole("link", { name: "Blade 1" })).toHaveFocus();
  });

  // Spec: PAY-14
  it("what the seller took back is for sale no longer, and is not offered again", async () => {
    till.hold("1");
    till.hold("2");
    show();
    await line("Blade 1");
    till.release("1");
    act(() =>
      dispatch({
        channelId: "live-listings-change",
        type: "delete",
        payload: { document: { ...till.of("1"), version: 2 }, assetContractAddress: contract },
      }),
    );
    await marked("Blade 1", "No longer for sale.");
    expect(screen.queryByRole("button", { name: /Add again/ })).toBeNull();
    expect(screen.getByRole("button", { name: "Remove Blade 1 from this page" })).toBeInTheDocument();
    till.tell("1"); // a reorganisation reverted it
    await marked("Blade 1", "No longer in your cart.");
  });

  it("nor is it once the server has said so", async () => {
    till.hold("1");
    show();
    await line("Blade 1");
    till.release("1");
    till.tell("1");
    till.refuses = () => problem(409, "This is no longer for sale.", { reason: "gone" });
    await userEvent.click(await screen.findByRole("button", { name: /Add again/ }));
    await marked("Blade 1", "No longer for sale.");
    expect(screen.queryByRole("button", { name: /Add again/ })).toBeNull();
    expect(screen.queryByText("This is no longer for sale.")).toBeNull();
    expect(screen.getByRole("link", { name: "Blade 1" })).toHaveFocus();
  });

  it("says where to confirm the email that a hold asks for", async () => {
    till.hold("1");
    show();
    await line("Blade 1");
    till.release("1");
    till.tell("1");
    till.refuses = () => problem(403, "Please confirm your email first.", { reason: "email" });
    await userEvent.click(await screen.findByRole("button", { name: /Add again/ }));
    expect(await screen.findByText(/Please confirm your email first/)).toHaveAttribute("role", "alert");
    expect(screen.getByRole("link", { name: /email/ })).toHaveAttribute("href", "/portal/edit");
  });

  it("a marked line is removed from the page alone", async () => {
    till.hold("1");
    till.hold("2");
    show();
    await line("Blade 1");
    till.release("1");
    till.tell("1");
    await marked("Blade 1", "No longer in your cart.");
    await userEvent.click(screen.getByRole("button", { name: "Remove Blade 1 from this page" }));
    await vi.waitFor(() => expect(screen.queryByRole("link", { name: "Blade 1" })).toBeNull());
    expect(till.changes).toEqual([]);
    expect(screen.getByRole("link", { name: "Blade 2" })).toHaveFocus();
  });

  it("so is one that ran out by the clock alone", async () => {
    clock();
    till.hold("1", 60);
    till.hold("2");
    show();
    await line("Blade 1");
    await act(() => vi.advanceTimersByTimeAsync(61_000));
    act(() => screen.getByRole("button", { name: "Remove Blade 1 from this page" }).click());
    await vi.waitFor(() => expect(screen.queryByRole("link", { name: "Blade 1" })).toBeNull());
    till.tell("1");
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    expect(lines()).toHaveLength(1);
    expect(till.changes).toEqual([]);
  });

  // Spec: PAY-14
  it("what the player removes here goes for good", async () => {
    till.hold("1");
    till.hold("2");
    show();
    await line("Blade 1");
    await userEvent.click(screen.getByRole("button", { name: "Remove Blade 1 from the cart" }));
    await vi.waitFor(() => expect(screen.queryByRole("link", { name: "Blade 1" })).toBeNull());
    expect(screen.queryByText("No longer in your cart.")).toBeNull();
    expect(screen.getByRole("link", { name: "Blade 2" })).toHaveFocus();
    await userEvent.click(screen.getByRole("button", { name: "Remove Blade 2 from the cart" }));
    expect(await screen.findByText("Your cart is empty")).toBeInTheDocument();
    expect(screen.getByRole("heading", { name: "Checkout" })).toHaveFocus();
    expect(till.changes).toEqual(["remove", "remove"]);
  });

  it("also in the cart's drawer on this page", async () => {
    till.hold("1");
    till.hold("2");
    show(<CartDrawer open onOpenChange={() => {}} />);
    const drawer = await screen.findByRole("dialog", { name: "Your cart" });
    await userEvent.click(await within(drawer).findByRole("button", { name: "Remove Blade 1 from the cart" }));
    await vi.waitFor(() => expect(screen.queryByText("Blade 1")).toBeNull());
    await userEvent.click(within(drawer).getByRole("button", { name: "Empty cart" }));
    expect(await screen.findByText("Your cart is empty")).toBeInTheDocument();
    expect(screen.queryByText("No longer in your cart.")).toBeNull();
  });

  it("a hold that the server moved to another unit is the same line", async () => {
    const [first, second] = [till.hold("1"), till.hold("1")];
    show();
    await vi.waitFor(() => expect(lines()).toHaveLength(2));
    first.index = 3;
    second.index = 4;
    till.tell("1");
    await userEvent.click(await payButton());
    expect(till.asked[0]?.items?.map((item) => item.index)).toEqual([3, 4]);
    expect(screen.queryByText("No longer in your cart.")).toBeNull();
  });

  it("of several units of a listing as many are marked as are missing", async () => {
    till.hold("1");
    till.hold("1");
    till.hold("1");
    show();
    await vi.waitFor(() => expect(lines()).toHaveLength(3));
    till.release("1", 0);
    till.release("1", 2);
    till.tell("1");
    expect(await screen.findAllByText("No longer in your cart.")).toHaveLength(2);
    expect(screen.getByText("1 item")).toBeInTheDocument();
    await userEvent.click(screen.getAllByRole("button", { name: /Add again/ })[0] as HTMLElement);
    expect(await screen.findByText("2 items")).toBeInTheDocument();
    expect(screen.getAllByText("No longer in your cart.")).toHaveLength(1);
    expect(lines()).toHaveLength(3);
  });

  // Spec: PAY-10
  it("an order that ended unpaid shows its items and why, also after a reload, without what was taken off the page", async () => {
    till.hold("1");
    till.hold("2");
    till.hold("3");
    till.place();
    show();
    await screen.findByText(/This order is waiting for its payment/);
    till.release("1");
    till.release("2");
    till.tell("1", "2");
    const why = "Your cart changed, so this order ended. Nothing was charged.";
    for (const load of [() => {}, reload]) {
      load();
      expect(await screen.findByText(why)).toHaveAttribute("role", "status");
      await marked("Blade 1", "No longer in your cart.");
      await marked("Blade 2", "No longer in your cart.");
      expect(within(await line("Blade 3")).getByText(/Held for/)).toBeInTheDocument();
    }
    await userEvent.click(screen.getByRole("button", { name: "Remove Blade 1 from this page" }));
    reload();
    await marked("Blade 2", "No longer in your cart.");
    expect(screen.queryByRole("link", { name: "Blade 1" })).toBeNull();
  });

  it("a hold that ran out under an unpaid order is marked as such after a reload", async () => {
    clock();
    till.hold("1", 60);
    const order = till.place();
    show();
    await screen.findByText(/This order is waiting for its payment/);
    await act(() => vi.advanceTimersByTimeAsync(61_000));
    till.move(order, "expired", "The hold ran out before you paid. Nothing was charged.");
    reload();
    await marked("Blade 1", "Its time in your cart is up.");
    expect(screen.getByText("The hold ran out before you paid. Nothing was charged.")).toHaveAttribute("role", "status");
  });

  it("what was bought is not remembered as something that was lost", async () => {
    till.hold("1");
    show();
    await line("Blade 1");
    const order = till.place(); // in another tab
    till.tell();
    await screen.findByText(/This order is waiting for its payment/);
    till.move(order, "submitted");
    till.tell();
    expect(await screen.findByText("Your payment is on its way.")).toBeInTheDocument();
    till.move(order, "complete");
    till.holds = [];
    till.tell("1");
    expect(await screen.findByText("It is yours")).toBeInTheDocument();
    localStorage.removeItem(keys.order);
    act(() => queryClient.setQueryData(["order", till.player], null));
    expect(await screen.findByText("Your cart is empty")).toBeInTheDocument();
  });
});

describe("one player's order", () => {
  const another = profile({ holderKey: "00c3" });
  another.AccountInfo = { ...another.AccountInfo, PlayFabId: "00000000000000B2" };

  /** Another player signs in, as after a logout in this tab. */
  function signInAnother() {
    act(() => {
      session.set({ isAuthenticated: false, profile: null });
      disconnectWallet();
      queryClient.clear();
      localStorage.removeItem(keys.order);
      session.set({ isAuthenticated: true, profile: another });
    });
  }

  /** Runs an action between a request and its response. */
  function gate() {
    let open = () => {};
    const passed = new Promise<void>((resolve) => {
      open = resolve;
    });
    return { open, passed };
  }

  // Spec: PAY-16
  it("is neither kept nor shown when another player signs in before the answer", async () => {
    const { open, passed } = gate();
    const asked = vi.fn();
    till.hold("1");
    show();
    const button = await payButton();
    let answered: Response | undefined;
    server.use(
      http.post("*/api/auth/marketplace/checkout", async () => {
        asked();
        await passed;
        answered = HttpResponse.json(till.place(), { status: 201 });
        return answered;
      }),
    );
    await userEvent.click(button);
    await vi.waitFor(() => expect(asked).toHaveBeenCalled());
    till.holds = [];
    signInAnother();
    server.use(http.get("*/api/auth/marketplace/checkout", () => HttpResponse.json({})));
    expect(await screen.findByText("Your cart is empty")).toBeInTheDocument();
    open();
    await vi.waitFor(() => expect(answered).toBeDefined());
    await act(() => new Promise((resolve) => setTimeout(resolve, 100)));
    expect(localStorage.getItem(keys.order)).toBeNull();
    expect(queryClient.getQueryData(["order", another.AccountInfo.PlayFabId])).toBeNull();
    expect(queryClient.getQueryCache().findAll({ queryKey: ["order"] })).toHaveLength(1);
    expect(screen.getByText("Your cart is empty")).toBeInTheDocument();
    expect(world.sent).toBeUndefined();
    expect(screen.queryByRole("alert")?.textContent ?? "").toBe("");
  });

  it("is not sent when another player signs in while the wallet makes ready", async () => {
    const { open, passed } = gate();
    till.hold("1");
    const connecting = vi.fn();
    server.use(
      http.post("*/api/wallet/connect", async () => {
        connecting();
        await passed;
        return HttpResponse.json({ address: owner });
      }),
    );
    show();
    await userEvent.click(await payButton());
    await screen.findByText(/This order is waiting for its payment/);
    await vi.waitFor(() => expect(connecting).toHaveBeenCalled());
    signInAnother();
    open();
    await act(() => new Promise((resolve) => setTimeout(resolve, 100)));
    expect(world.sent).toBeUndefined();
    expect(localStorage.getItem(keys.order) ?? "").not.toContain(till.player);
  });

  // Spec: SESSION-21
  it("that this browser keeps is not asked for by another", async () => {
    till.hold("1");
    const order = till.place();
    show();
    await screen.findByText(/This order is waiting for its payment/);
    expect(localStorage.getItem(keys.order)).toContain(order.orderId);
    const kept = localStorage.getItem(keys.order) ?? "";
    const loaded = vi.fn();
    signInAnother();
    localStorage.setItem(keys.order, kept); // as another tab left it
    till.holds = [];
    server.use(
      http.get("*/api/auth/marketplace/checkout", () => HttpResponse.json({})),
      http.get("*/api/auth/marketplace/checkout/:id", () => {
        loaded();
        return HttpResponse.json(order);
      }),
    );
    reload();
    expect(await screen.findByText("Your cart is empty")).toBeInTheDocument();
    expect(loaded).not.toHaveBeenCalled();
  });
});

describe("two tabs", () => {
  // Spec: LIVE-27
  it("an order that was placed, cancelled or paid in another tab shows here", async () => {
    till.hold("1");
    show();
    await line("Blade 1");
    const order = till.place();
    till.tell();
    expect(await screen.findByText(/This order is waiting for its payment/)).toBeInTheDocument();
    till.move(order, "expired", "You cancelled this order. Nothing was charged.");
    till.tell();
    expect(await screen.findByText("You cancelled this order. Nothing was charged.")).toBeInTheDocument();
    expect(within(await line("Blade 1")).getByText(/Held for/)).toBeInTheDocument();
    const second = till.place();
    till.move(second, "submitted");
    till.tell();
    expect(await screen.findByText("Your payment is on its way.")).toBeInTheDocument();
    till.move(second, "complete");
    till.tell();
    expect(await screen.findByText("It is yours")).toBeInTheDocument();
  });

  it("an order of another device shows how it ended, however quickly", async () => {
    till.hold("1");
    show();
    await line("Blade 1");
    till.move(till.place(), "complete");
    till.holds = [];
    till.tell("1");
    expect(await screen.findByText("It is yours")).toBeInTheDocument();
  });

  it.each<[string, () => void]>([
    ["the window has the focus again", () => dispatchEvent(new Event("focus"))],
    ["the tab is seen again", () => document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))],
  ])("what no message told shows when %s", async (_, comeBack) => {
    till.hold("1");
    show();
    await line("Blade 1");
    till.hold("2");
    till.place();
    act(comeBack);
    expect(await screen.findByText(/This order is waiting for its payment/)).toBeInTheDocument();
    expect(screen.getByText("Blade 2")).toBeInTheDocument();
  });

  const busy = (retryAfter: number) => ({
    error: { code: -32000, message: "Another operation of your wallet is under way.", data: { reason: "busy", retryAfter } },
  });
  const queued = {
    error: { code: -32500, message: "Another operation of your account with this nonce is on its way.", data: { reason: "nonce" } },
  };
  const executed = { error: { code: -32500, message: "AA25 invalid account nonce" } };

  // Spec: WALLET-23
  it.each([
    ["the relay has reserved", busy(0.5)],
    ["the relay has queued", queued],
    ["the chain has executed meanwhile", executed],
  ])("a payment waits for another operation of the account that %s, and takes the next nonce", async (_, refusal) => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    till.hold("1");
    world.bundle = () => {
      world.bundle = () => ({});
      world.nonce = 8n;
      return refusal;
    };
    show();
    const button = await payButton();
    await vi.waitFor(() => expect(button).toBeEnabled());
    act(() => button.click());
    expect(await screen.findByRole("button", { name: "Waiting for your other purchase…" })).toHaveAttribute("aria-disabled", "true");
    await act(() => vi.advanceTimersByTimeAsync(2_000));
    expect(await screen.findByText("Your payment is on its way.")).toBeInTheDocument();
    expect(world.sent).toMatchObject({ nonce: "0x8" });
    expect(till.asked).toHaveLength(1);
  });

  // Spec: WALLET-23
  it.each([
    ["the server's words", busy(4), "Another operation of your wallet is under way.", 6, 9],
    ["the server's words about the nonce", queued, "Another operation of your account with this nonce is on its way.", 12, 16],
    [
      "its own where an external bundler names the nonce alone",
      executed,
      "Another action of yours is still on its way. Please wait until it is done.",
      12,
      16,
    ],
  ])("waits for half a minute, and then shows %s", async (_, refusal, words, least, most) => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    till.hold("1");
    let sent = 0;
    world.bundle = () => {
      sent++;
      return refusal;
    };
    show();
    const button = await payButton();
    await vi.waitFor(() => expect(button).toBeEnabled());
    act(() => button.click());
    await screen.findByRole("button", { name: "Waiting for your other purchase…" });
    expect(busyTimeout).toBe(30_000);
    await act(() => vi.advanceTimersByTimeAsync(20_000));
    expect(screen.getByRole("button", { name: "Waiting for your other purchase…" })).toBeInTheDocument();
    await act(() => vi.advanceTimersByTimeAsync(12_000));
    expect(await screen.findByText(words)).toHaveAttribute("role", "alert");
    expect(sent).toBeGreaterThanOrEqual(least);
    expect(sent).toBeLessThanOrEqual(most);
    expect(await payButton()).toBeEnabled();
  });

  it("can be cancelled while it waits, and is not sent afterwards", async () => {
    till.hold("1");
    let sent = 0;
    world.bundle = () => {
      sent++;
      return busy(0.5);
    };
    show();
    await userEvent.click(await payButton());
    await screen.findByRole("button", { name: "Waiting for your other purchase…" });
    await userEvent.click(await screen.findByRole("button", { name: "Cancel this order" }));
    expect(await screen.findByText("You cancelled this order. Nothing was charged.")).toBeInTheDocument();
    const before = sent;
    await vi.waitFor(async () => expect(await payButton()).toBeEnabled());
    expect(sent).toBe(before);
    expect(screen.getByRole("link", { name: "Blade 1" })).toBeInTheDocument();
    for (const alert of screen.queryAllByRole("alert")) expect(alert).toHaveTextContent("");
    await userEvent.click(await payButton()); // what was cancelled may still wait
    await vi.waitFor(() => expect(till.asked).toHaveLength(2));
  });

  it("says where to confirm the email that the first sponsored operation asks for", async () => {
    till.hold("1");
    world.bundle = () => ({ error: { code: -32000, message: "Please confirm your email first.", data: { reason: "email" } } });
    show();
    await userEvent.click(await payButton());
    expect(await screen.findByText(/Please confirm your email first/)).toHaveAttribute("role", "alert");
    expect(screen.getByRole("link", { name: /email/ })).toHaveAttribute("href", "/portal/edit");
  });
});
