import { QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Toaster } from "~/components/ui/toasts";
import { dispatch } from "~/features/realtime/messages";
import { session } from "~/features/session/store";
import { queryClient } from "~/lib/query";
import { cart, cartItem, contract, listing, profile, signedIn } from "../../../test/make";
import { HttpResponse, http, problem, server } from "../../../test/server";
import { Bell } from "./components/bell";
import { Notifications } from "./components/notifications";
import { type Notification, useLiveNotifications } from "./queries";
import { detailOf, pageOf, titleOf } from "./texts";

const one = (id: string, some: Partial<Notification> = {}): Notification => ({
  notificationId: id,
  kind: "sold",
  listingId: "1",
  assetContractAddress: contract,
  tokenId: "1",
  name: "Moth Fang",
  image: "/metadata/1.svg",
  quantity: 1,
  amount: "9.65",
  createdAt: "2026-11-20T10:00:00.000Z",
  read: false,
  ...some,
});

let all: Notification[];
/** The notifications up to which was read. */
let read: string[];
let email: boolean;

beforeEach(() => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  signedIn();
  all = [];
  read = [];
  email = false;
  server.use(
    http.get("*/api/auth/notifications", ({ request }) => {
      const query = new URL(request.url).searchParams;
      const limit = Number(query.get("limit") ?? 2);
      const start = query.get("cursor") ? all.findIndex((n) => n.notificationId === query.get("cursor")) + 1 : 0;
      const items = all.slice(start, start + limit);
      const more = start + limit < all.length ? { nextCursor: items.at(-1)?.notificationId } : {};
      return HttpResponse.json({ items, unread: all.filter((n) => !n.read).length, ...more });
    }),
    http.post("*/api/auth/notifications/read", async ({ request }) => {
      const { notificationId } = (await request.json()) as { notificationId: string };
      read.push(notificationId);
      const from = all.findIndex((n) => n.notificationId === notificationId);
      all = all.map((n, i) => (i >= from ? { ...n, read: true } : n));
      return HttpResponse.json({ success: true });
    }),
    http.get("*/api/auth/notifications/settings", () => HttpResponse.json({ email })),
    http.put("*/api/auth/notifications/settings", async ({ request }) => {
      email = ((await request.json()) as { email: boolean }).email;
      return HttpResponse.json({ success: true });
    }),
  );
});
afterEach(() => session.set(session.initial));

describe("an alert", () => {
  const alert = one("1", { kind: "alert", search: "Cheap blades", searchId: "S1", amount: "9.65" });
  const many = { ...alert, quantity: 12 };

  it("says what is for sale, or how many are", () => {
    expect([titleOf(alert), detailOf(alert)]).toEqual(["Moth Fang", "Cheap blades: for sale at 9.65 USDC."]);
    expect([titleOf(many), detailOf(many)]).toEqual(["Cheap blades: 12 new matches", "The cheapest is Moth Fang, at 9.65 USDC."]);
    expect(titleOf({ ...many, search: undefined })).toBe("A saved search: 12 new matches");
    expect(pageOf(alert)).toBe(`/kod-marketplace/marketplace/item/${contract}/1`);
  });

  // Spec: SELL-12
  it("has a button that holds the cheapest, and leads to all matches", async () => {
    all = [many];
    const added: unknown[] = [];
    server.use(
      http.get("*/api/auth/marketplace/cart", () => HttpResponse.json({ items: [] })),
      http.get("*/api/auth/marketplace/searches", () =>
        HttpResponse.json({
          items: [{ searchId: "S1", name: "Cheap blades", filters: { q: "blade" }, alerts: true, createdAt: "2026-11-20T10:00:00Z" }],
        }),
      ),
      http.post("*/api/auth/marketplace/cart/addToCart", async ({ request }) => {
        added.push(await request.json());
        return problem(409, "Somebody else has this in their cart.", { reason: "held" });
      }),
    );
    show(
      <>
        <Notifications />
        <Toaster />
      </>,
    );
    expect(await screen.findByRole("link", { name: "See all matches" })).toHaveAttribute("href", "/kod-marketplace?q=blade");
    await userEvent.click(screen.getByRole("button", { name: "Add to cart: Moth Fang" }));
    // A notice that goes, and a text that stays.
    expect(await screen.findAllByText("Somebody else has this in their cart.")).toHaveLength(2);
    expect(screen.getByRole("button", { name: "Try again: Moth Fang" })).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "Cheap blades: 12 new matches" })).toHaveAttribute("href", "/kod-marketplace?q=blade");
    expect(added).toMatchObject([{ newItem: { listingId: "1", assetContractAddress: contract } }]);
  });

  // Spec: CART-22
  it.each([
    ["12", true],
    ["9.65", false],
    ["9", false],
  ])("reports a price increase when the item is held: %s USDC, %s", async (price, isSaid) => {
    all = [alert];
    let inCart = cart();
    server.use(
      http.get("*/api/auth/marketplace/cart", () => HttpResponse.json(inCart)),
      http.get("*/api/auth/marketplace/searches", () => HttpResponse.json({ items: [] })),
      http.post("*/api/auth/marketplace/cart/addToCart", () => {
        inCart = cart(cartItem({ listing: listing({ price }) }));
        return HttpResponse.json({ success: true });
      }),
    );
    show(
      <>
        <Notifications />
        <Toaster />
      </>,
    );
    await userEvent.click(await screen.findByRole("button", { name: "Add to cart: Moth Fang" }));
    expect(await screen.findByRole("link", { name: "In your cart: go to checkout" })).toBeInTheDocument();
    expect(await screen.findByText("Moth Fang is held for you")).toBeInTheDocument();
    expect(Boolean(screen.queryByText("Moth Fang costs 12.00 USDC now"))).toBe(isSaid);
    expect(Boolean(screen.queryByText("It was 9.65 USDC before."))).toBe(isSaid);
  });
});

function show(page: React.ReactNode) {
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>{page}</MemoryRouter>
    </QueryClientProvider>,
  );
}

const rows = async () => (await screen.findAllByRole("listitem")).map((row) => row.textContent);

describe("notifications", () => {
  it("say what happened, and what to do", async () => {
    all = [
      one("4", { quantity: 3 }),
      one("3", { kind: "expired", amount: "12" }),
      one("2", { kind: "stopped", amount: "12", read: true }),
      one("1", { kind: "returned", amount: "12", read: true }),
      one("0", { kind: "moved", read: true }),
    ];
    show(<Notifications />);
    await screen.findByText("Sold: 3 × Moth Fang");
    await userEvent.click(screen.getByRole("button", { name: "Show more" }));
    await screen.findByText("Back in your wallet: Moth Fang");
    await userEvent.click(screen.getByRole("button", { name: "Show more" }));
    await screen.findByText("Listing ended: Moth Fang");
    const texts = await rows();
    for (const [i, part] of [
      "You received 9.65 USDC.",
      "The listing has ended. You can list it again.",
      "It has left your wallet, or the marketplace may not take it.",
      "Confirm its price of 12.00 USDC to sell it again.",
      "The game has moved to a new chain. Claim the item there to list it again.",
    ].entries()) {
      expect(texts[i]).toContain(part);
    }
    expect(screen.getByRole("link", { name: "Back in your wallet: Moth Fang" })).toHaveAttribute("href", "/portal/listings?state=invalid");
    expect(screen.getByRole("link", { name: "Listing ended: Moth Fang" })).toHaveAttribute("href", "/move");
  });

  it("are read once they are seen, and stay marked as new until the page is left", async () => {
    all = [one("2"), one("1", { read: true })];
    show(
      <>
        <Bell />
        <Notifications />
      </>,
    );
    await waitFor(() => expect(read).toEqual(["2"]));
    await waitFor(() => expect(screen.getByRole("link", { name: "Notifications" })).toBeInTheDocument());
    const [fresh, old] = (await screen.findAllByRole("listitem")) as [HTMLElement, HTMLElement];
    expect(within(fresh).getByText("New")).toBeInTheDocument();
    expect(within(old).queryByText("New")).toBeNull();
    await act(() => queryClient.invalidateQueries({ queryKey: ["notifications"] }));
    expect(within(fresh).getByText("New")).toBeInTheDocument();
    expect(read).toEqual(["2"]);
  });

  it("that load in a tab in the background are read once the tab is looked at", async () => {
    const visibility = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
    all = [one("2"), one("1")];
    show(<Notifications />);
    await screen.findAllByText("New");
    expect(read).toEqual([]);
    visibility.mockReturnValue("visible");
    act(() => void document.dispatchEvent(new Event("visibilitychange")));
    await waitFor(() => expect(read).toEqual(["2"]));
  });

  it("that do not load are shown as an error, not as empty", async () => {
    server.use(http.get("*/api/auth/notifications", () => problem(400, "Not now.")));
    show(<Notifications />);
    await screen.findByText("Your notifications did not load");
    expect(screen.queryByText("Nothing yet")).toBeNull();
    server.resetHandlers();
    server.use(
      http.get("*/api/auth/notifications", () => HttpResponse.json({ items: [], unread: 0 })),
      http.get("*/api/auth/notifications/settings", () => HttpResponse.json({ email })),
    );
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    await screen.findByText("Nothing yet");
  });

  it("are emailed if the player wants it", async () => {
    show(<Notifications />);
    const box = await screen.findByRole("checkbox", { name: "Email me what I have not read" });
    expect(box).not.toBeChecked();
    await userEvent.click(box);
    await waitFor(() => expect(email).toBe(true));
    expect(box).toBeChecked();
    server.use(http.put("*/api/auth/notifications/settings", () => problem(400, "Not now.")));
    await userEvent.click(box);
    await screen.findByText("Not now.");
    expect(box).toBeChecked();
  });

  it("are emailed as the last of two quick presses says, however the answers come", async () => {
    let chosen = 0;
    let arrive = () => {};
    const first = new Promise<void>((go) => {
      arrive = go;
    });
    server.use(
      http.put("*/api/auth/notifications/settings", async ({ request }) => {
        const choice = (await request.json()) as { email: boolean };
        if (++chosen === 1) await first; // it takes longer on its way
        ({ email } = choice);
        return HttpResponse.json({ success: true });
      }),
    );
    show(<Notifications />);
    const box = await screen.findByRole("checkbox", { name: "Email me what I have not read" });
    await userEvent.click(box);
    await userEvent.click(box);
    expect(box).not.toBeChecked();
    await waitFor(() => expect(chosen).toBeGreaterThan(0));
    arrive();
    await waitFor(() => expect(chosen).toBe(2));
    await act(() => queryClient.invalidateQueries({ queryKey: ["notifications"] }));
    expect(box).not.toBeChecked();
  });

  it.each([
    ["", "add an email"],
    ["stranger@play.example", "confirm your email"],
  ])("lead a player without a confirmed email (%j) to the settings", async (Email, action) => {
    const { AccountInfo } = profile();
    signedIn({ emailConfirmed: false, AccountInfo: { ...AccountInfo, PrivateInfo: { Email } } });
    show(<Notifications />);
    expect(await screen.findByRole("link", { name: action })).toHaveAttribute("href", "/portal/edit");
    expect(screen.queryByRole("checkbox")).toBeNull();
  });
});

function Living() {
  useLiveNotifications();
  return <Toaster />;
}

describe("the bell", () => {
  it("counts what is unread, and follows announcements, each new one with a toast", async () => {
    all = [one("1")];
    show(
      <>
        <Bell />
        <Living />
      </>,
    );
    await screen.findByRole("link", { name: "Notifications, 1 unread" });
    expect(screen.queryByText("Sold: Moth Fang")).toBeNull();
    all = [one("2", { name: "Owl Lamp" }), ...all];
    act(() => dispatch({ channelId: "notification", type: "update", payload: {} }));
    await screen.findByRole("link", { name: "Notifications, 2 unread" });
    await screen.findByText("Sold: Owl Lamp");
    all = all.map((n) => ({ ...n, read: true }));
    act(() => dispatch({ channelId: "notification", type: "update", payload: {} }));
    await screen.findByRole("link", { name: "Notifications" });
  });

  it("shows at most 99", async () => {
    all = Array.from({ length: 120 }, (_, i) => one(String(i)));
    show(<Bell />);
    expect(await screen.findByRole("link", { name: "Notifications, 120 unread" })).toHaveTextContent("99+");
  });
});

describe("a notification", () => {
  it.each([
    ["sold", "Sold: Moth Fang", "You received 9.65 USDC.", "/portal/edit/activity"],
    ["expired", "Not sold in time: Moth Fang", "The listing has ended. You can list it again.", "/portal/listings?state=ended"],
    [
      "stopped",
      "No longer for sale: Moth Fang",
      "It has left your wallet, or the marketplace may not take it.",
      "/portal/listings?state=invalid",
    ],
    ["returned", "Back in your wallet: Moth Fang", "Confirm its price of 9.65 USDC to sell it again.", "/portal/listings?state=invalid"],
  ] as const)("of the kind %s has its words and its page", (kind, title, detail, page) => {
    const n = one("1", { kind });
    expect([titleOf(n), detailOf(n), pageOf(n)]).toEqual([title, detail, page]);
  });

  it("of a sale in an unknown currency promises no amount", () => {
    expect(detailOf(one("1", { amount: "0" }))).toBe("It was paid in another currency.");
  });
});
