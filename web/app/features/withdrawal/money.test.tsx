import { QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, RouterProvider } from "react-router";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { Toaster } from "~/components/ui/toasts";
import { dispatch } from "~/features/realtime/messages";
import { session } from "~/features/session/store";
import { keepWallet } from "~/features/wallet/connection";
import { browserWallets } from "~/features/wallet/providers";
import { sendings } from "~/features/wallet/sending";
import { wallet } from "~/features/wallet/store";
import { queryClient } from "~/lib/query";
import { kinds } from "~/lib/registry";
import { delayed } from "../../../test/delayed";
import { expectFocus } from "../../../test/focus";
import { profile, signedIn } from "../../../test/make";
import { HttpResponse, http, problem, server } from "../../../test/server";
import { answerWallet, chain, god, mainChain, operation, smart, transaction, usdc, type WalletWorld } from "../../../test/wallet";
import { YourMoney } from "./components/money";
import type { Money, Movement, SavedAddress, Withdrawal } from "./queries";

const answered = vi.hoisted(() => vi.fn<() => Promise<unknown>>());
vi.mock("@simplewebauthn/browser", () => ({ startAuthentication: answered, WebAuthnAbortService: { cancelCeremony: () => {} } }));

const items = `0x${"a1".repeat(20)}`;
const friend = "0xfeed00000000000000000000000000000000beef";
const lookalike = "0xfeed11111111111111111111111111111111beef";
const own = `0x${"0b".repeat(20)}`;
const day = 86_400_000;
const iso = (ms: number) => new Date(Date.now() + ms).toISOString();

function money(some: Partial<Money> = {}): Money {
  return {
    smartWallet: smart,
    balances: [
      {
        symbol: "USDC",
        chainId: chain,
        contract: usdc,
        decimals: 6,
        inWallet: "500",
        paying: "0",
        asked: "0",
        listings: 0,
        limit: "5000",
        used: "0",
      },
      { symbol: "GOD", chainId: chain, contract: god, decimals: 18, inWallet: "3.25", paying: "0", asked: "0", listings: 0, used: "0" },
    ],
    itemsPerDay: 100,
    itemsUsed: 0,
    delaySeconds: 86_400,
    sendable: [{ chainId: chain, contract: items }],
    ...some,
  };
}

function withdrawal(some: Partial<Withdrawal> = {}): Withdrawal {
  return {
    withdrawalId: "W1",
    to: friend,
    own: false,
    state: "unconfirmed",
    parts: [
      {
        partId: "P1",
        chainId: chain,
        state: "open",
        assets: [{ contract: usdc, standard: "erc20", tokenId: "0", amount: "50", units: "50000000", symbol: "USDC" }],
      },
    ],
    createdAt: iso(0),
    expiresAt: iso(day),
    ...some,
  };
}

const confirmed = (some: Partial<Withdrawal> = {}) => withdrawal({ state: "confirmed", readyAt: iso(-1000), ...some });
const withPart = (w: Withdrawal, some: Partial<Withdrawal["parts"][number]>): Withdrawal => ({
  ...w,
  parts: w.parts.map((part) => ({ ...part, ...some })),
});

/** What the server has. Tests change it before and while they look. */
let has: { money: Money; withdrawals: Withdrawal[]; movements: Movement[]; book: SavedAddress[]; held: object[]; passkeys: object[] };
/** What was sent to the server: method, path and body. */
let calls: [string, unknown][];
let world: WalletWorld;

beforeEach(() => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  has = { money: money(), withdrawals: [], movements: [], book: [], held: [], passkeys: [] };
  calls = [];
  sendings.set(sendings.initial);
  wallet.set(wallet.initial);
  browserWallets.set(browserWallets.initial);
  world = answerWallet();
  signedIn({ smartWalletAddress: smart });
  const sent = async (request: Request) => {
    const text = await request.clone().text();
    calls.push([`${request.method} ${new URL(request.url).pathname}`, text ? JSON.parse(text) : undefined]);
  };
  server.events.removeAllListeners();
  server.events.on("request:start", ({ request }) => {
    if (request.method !== "GET" && /withdrawals|address-book/.test(request.url)) void sent(request);
  });
  server.use(
    http.get("*/api/auth/money", () => HttpResponse.json(has.money)),
    http.get("*/api/auth/money/movements", () => HttpResponse.json({ items: has.movements })),
    http.get("*/api/auth/withdrawals", () => HttpResponse.json({ items: has.withdrawals })),
    http.get("*/api/auth/passkeys", () => HttpResponse.json({ items: has.passkeys })),
    http.get("*/api/auth/withdrawals/:id", ({ params: { id } }) => {
      const found = has.withdrawals.find((w) => w.withdrawalId === id);
      return found ? HttpResponse.json(found) : problem(404, "There is no such withdrawal.");
    }),
    http.delete("*/api/auth/withdrawals/:id", () => {
      has.withdrawals = has.withdrawals.map((w) => ({ ...w, state: "cancelled", reason: "You cancelled it." }));
      return HttpResponse.json({ success: true });
    }),
    http.get("*/api/auth/address-book", () => HttpResponse.json({ items: has.book })),
    ...kinds.map(({ list }) =>
      http.get(`*/api/auth/nft/${list}`, () =>
        HttpResponse.json({ items: list === "listGameItems" ? has.held : [], total: has.held.length }),
      ),
    ),
    http.get("*/api/marketplace/items/:contract/:id", () => problem(404, "No such item.")),
  );
});

const made: ReturnType<typeof createMemoryRouter>[] = [];

function open(search = "", state?: unknown) {
  const routes = [
    { path: "/portal/money", element: <YourMoney /> },
    { path: "*", element: <p>elsewhere</p> },
  ];
  const router = createMemoryRouter(routes, { initialEntries: [{ pathname: "/portal/money", search, state }] });
  made.push(router);
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return router;
}

const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole("button", { name }));
const fill = async (label: string, text: string) => {
  await userEvent.clear(await screen.findByLabelText(label));
  await userEvent.type(screen.getByLabelText(label), text);
};
/** Continues with an address that is not in the book. */
const continueTo = async (address: string) => {
  await userEvent.selectOptions(await screen.findByLabelText("Send to"), "Another address");
  await fill("Address", address);
  await press("Continue");
};
const heading = (name: string | RegExp) => screen.findByRole("heading", { level: 2, name });
/** Refuses the creation of a withdrawal for what its fields have. */
const refusesFields = (messages: Record<string, string>) =>
  server.use(
    http.post("*/api/auth/withdrawals", () =>
      problem(400, "No.", { errors: Object.entries(messages).map(([location, message]) => ({ location, message })) }),
    ),
  );
/** Answers the creation of a withdrawal, and shows it from then on. */
function creates(made: Withdrawal, more: { proof?: string; lookalikes?: string[] } = {}) {
  server.use(
    http.post("*/api/auth/withdrawals", () => {
      has.withdrawals = [made];
      return HttpResponse.json({ withdrawal: made, proof: "code", lookalikes: [], ...more }, { status: 201 });
    }),
  );
}

describe("the money", () => {
  it("is what is in the wallet, what of it is being paid, and what listings ask for", async () => {
    const [first, second] = has.money.balances;
    has.money = money({ balances: [{ ...first, paying: "12.5", asked: "40", listings: 3 } as never, second as never] });
    open();
    expect(await screen.findByText("500.00", { exact: false })).toBeInTheDocument();
    expect(screen.getByText("12.50 USDC of it are being paid just now.")).toBeInTheDocument();
    expect(screen.getByText(/Your 3 listings ask for 40.00 USDC/)).toBeInTheDocument();
    expect(await screen.findByText("Nothing has moved yet")).toBeInTheDocument();
  });

  it("says when it did not load, and loads on request", async () => {
    server.use(http.get("*/api/auth/money", () => problem(400, "Not now."), { once: true }));
    open();
    expect(await screen.findByText("Your money did not load")).toBeInTheDocument();
    await press("Try again");
    expect(await screen.findByText("Nothing has moved yet")).toBeInTheDocument();
  });

  it("leads a player without a wallet to the page that makes one", async () => {
    server.use(http.get("*/api/auth/money", () => problem(409, "Your wallet is not ready yet.")));
    open();
    expect(await screen.findByRole("link", { name: "Create my wallet" })).toHaveAttribute("href", "/kod-marketplace/create-smart-wallet");
  });

  // Spec: LIVE-27
  it("is fetched again when the channel tells of a change", async () => {
    open();
    await screen.findByText("Nothing has moved yet");
    has.withdrawals = [confirmed()];
    act(() => dispatch({ channelId: "withdrawal", type: "update", payload: { withdrawalId: "W1" } }));
    expect(await screen.findByText("Ready to send")).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "50.00 USDC to 0xfeed…beef" })).toHaveAttribute("href", "/portal/money?tab=send&withdrawal=W1");
  });

  it("came in and went out at a time with its zone, with whom, page by page", async () => {
    has.book = [{ address: friend, label: "Ben" }];
    const movement: Movement = {
      id: "1",
      at: "2026-11-20T10:00:00Z",
      in: true,
      purpose: "sale",
      amount: "9.5",
      symbol: "USDC",
      other: friend,
      chainId: chain,
      txHash: transaction,
    };
    server.use(
      http.get("*/api/auth/money/movements", ({ request }) =>
        HttpResponse.json(
          new URL(request.url).searchParams.get("cursor")
            ? { items: [{ ...movement, id: "2", in: false, purpose: "sent" }] }
            : { items: [movement], nextCursor: "next" },
        ),
      ),
    );
    open();
    const line = (await screen.findByText("Sold on the market")).closest("li") as HTMLElement;
    expect(await within(line).findByText("from Ben")).toBeInTheDocument();
    expect(within(line).getByText(/^Nov 20, 2026, \d\d:00 \S+/)).toHaveAttribute("datetime", "2026-11-20T10:00:00Z");
    expect(line).toHaveTextContent("+ 9.50 USDC");
    await press("Show more");
    expect((await screen.findByText("Sent by other means")).closest("li")).toHaveTextContent("− 9.50 USDC");
    expect(screen.queryByRole("button", { name: "Show more" })).not.toBeInTheDocument();
  });
});

describe("adding money", () => {
  it("shows the whole address, its code, and which token goes on which chain", async () => {
    open("?tab=add");
    expect(await screen.findByRole("img", { name: "QR code of your wallet's address" })).toBeInTheDocument();
    expect(screen.getByText("Your wallet's address").nextElementSibling).toHaveTextContent(smart);
    expect(await screen.findByText(`USDC on Game (chain ${chain})`)).toBeInTheDocument();
    expect(screen.getByText(`GOD on Game (chain ${chain})`)).toBeInTheDocument();
  });

  it("copies the address, or says that the browser does not let it", async () => {
    const user = userEvent.setup();
    open("?tab=add");
    await user.click(await screen.findByRole("button", { name: "Copy the address" }));
    expect(await screen.findByText("Copied.")).toHaveRole("status");
    expect(await navigator.clipboard.readText()).toBe(smart);
    vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new Error("no"));
    await user.click(screen.getByRole("button", { name: "Copy the address" }));
    expect(await screen.findByText(/does not let this page copy/)).toHaveRole("alert");
  });
});

describe("sending", () => {
  // Spec: MONEY-2
  it("says what is missing at its field, and sends nothing to the server", async () => {
    open("?tab=send");
    await press("Continue");
    expect(await screen.findByText("Enter an amount, or choose items.")).toHaveRole("alert");
    expect(screen.getByLabelText("Send to")).toHaveAccessibleDescription("Choose where to send it.");
    await fill("USDC to send", "500.01");
    await userEvent.selectOptions(screen.getByLabelText("Send to"), "Another address");
    await fill("Address", "0x12");
    await press("Continue");
    expect(screen.getByLabelText("USDC to send")).toHaveAccessibleDescription("You have 500.00 USDC to send.");
    expect(screen.getByLabelText("USDC to send")).toBeInvalid();
    expect(screen.getByLabelText("USDC to send")).toHaveFocus();
    expect(screen.getByLabelText("Address")).toHaveAccessibleDescription(
      "Invalid address. After 0x it has 40 characters: digits, and letters from a to f.",
    );
    expect(screen.getByLabelText("Address")).toHaveValue("0x12");
    expect(calls).toEqual([]);
  });

  it.each(["1.2.3", "-1", "1e3", "0.0000001", "0", "."])("does not take %j for an amount", async (text) => {
    open("?tab=send");
    await fill("USDC to send", text);
    await press("Continue");
    expect(screen.getByLabelText("USDC to send")).toBeInvalid();
  });

  it("asks for all there is that is not being paid, to a saved address, and leads to its confirmation", async () => {
    has.book = [{ address: friend, label: "Ben" }];
    has.money.balances = has.money.balances.map((b) => ({ ...b, paying: b.symbol === "USDC" ? "100" : "0" }));
    creates(withdrawal());
    open("?tab=send");
    await press("All USDC");
    await userEvent.selectOptions(await screen.findByLabelText("Send to"), "Ben, 0xfeed…beef");
    await press("Continue");
    await expectFocus(heading("Check and confirm"));
    expect(calls).toEqual([["POST /api/auth/withdrawals", { to: friend, assets: [{ chainId: chain, contract: usdc, amount: "400" }] }]]);
    expect(screen.getByText("To: Ben").nextElementSibling).toHaveTextContent(friend);
    expect(screen.getByLabelText("Code")).toBeInTheDocument();
  });

  it.each([
    ["another page", "/kod-marketplace/checkout"],
    ["another tab of this page", "/portal/money?tab=moves"],
  ])("leaves the player where they are when the answer comes on %s, and says that it waits", async (_, where) => {
    const slow = delayed(() => HttpResponse.json({ withdrawal: withdrawal(), proof: "code", lookalikes: [] }, { status: 201 }));
    server.use(http.post("*/api/auth/withdrawals", slow.resolver));
    render(<Toaster />);
    const router = open("?tab=send");
    await press("All USDC");
    await continueTo(friend);
    await slow.arrived();
    await act(() => router.navigate(where));
    await act(async () => slow.letGo());
    expect(await screen.findByText("Your withdrawal waits for you")).toBeInTheDocument();
    expect(router.state.location.pathname + router.state.location.search).toBe(where);
  });

  it("is held and carried out once the saved addresses have loaded", async () => {
    const slow = delayed(() => HttpResponse.json({ items: [] }));
    server.use(http.get("*/api/auth/address-book", slow.resolver));
    open("?tab=send");
    await press("All USDC");
    await press("Continue");
    expect(screen.queryByText("Choose where to send it.")).toBeNull();
    await act(async () => slow.letGo());
    await waitFor(() => expect(screen.getByLabelText("Send to")).toHaveAccessibleDescription("Choose where to send it."));
  });

  it("shows what the server says at the field it names, and keeps what was typed", async () => {
    refusesFields({ "body.to": "Upper and lower case are mixed up.", "body.assets[1].amount": "This must be less." });
    open("?tab=send");
    await fill("USDC to send", "1");
    await fill("GOD to send", "2");
    await continueTo(friend);
    await waitFor(() => expect(screen.getByLabelText("Address")).toHaveAccessibleDescription("Upper and lower case are mixed up."));
    expect(screen.getByLabelText("GOD to send")).toHaveAccessibleDescription("This must be less.");
    expect(screen.getByLabelText("GOD to send")).toHaveValue("2");
  });

  it("shows what the server has against the address while an amount is wrong, and creates nothing", async () => {
    refusesFields({ "body.to": "Upper and lower case are mixed up.", "body.assets": "Give 1 to 200 assets." });
    open("?tab=send");
    await fill("USDC to send", "500.01");
    await continueTo(friend);
    await waitFor(() => expect(screen.getByLabelText("Address")).toHaveAccessibleDescription("Upper and lower case are mixed up."));
    expect(screen.getByLabelText("USDC to send")).toHaveAccessibleDescription("You have 500.00 USDC to send.");
    expect(calls).toEqual([["POST /api/auth/withdrawals", { to: friend, assets: [] }]]);
  });

  it.each([
    ["more than the daily limit", 429, "daily-limit", "You can take 5000 USDC a day out of your wallet."],
    ["what is no longer there", 409, "insufficient", "You have 1 USDC."],
    ["too many at once", 409, "too-many-open", "Too many are open."],
  ])("of %s is refused in the server's words", async (_, status, reason, text) => {
    server.use(http.post("*/api/auth/withdrawals", () => problem(status, text, { reason })));
    open("?tab=send");
    await fill("USDC to send", "1");
    await continueTo(friend);
    expect(await screen.findByText(text)).toHaveRole("alert");
    expect(screen.getByLabelText("USDC to send")).toHaveValue("1");
  });

  it("tells of the limits before they are reached", async () => {
    has.money.balances = has.money.balances.map((b) => (b.symbol === "USDC" ? { ...b, used: "4990" } : b));
    has.money.itemsUsed = 98;
    open("?tab=send");
    expect(await screen.findByText("5,000.00 USDC, of which 10.00 are left")).toBeInTheDocument();
    expect(screen.getByText("100 items, of which 2 are left")).toBeInTheDocument();
    expect(screen.getByText(/send 24 hours after you confirm/)).toBeInTheDocument();
    await fill("USDC to send", "10.5");
    expect(screen.getByLabelText("USDC to send")).toHaveAccessibleDescription(/^That is more than the 10.00 USDC that are left for today./);
    expect(screen.getByLabelText("USDC to send")).toBeValid();
  });

  it("offers the items of the smart wallet that can leave, with how many", async () => {
    const item = (tokenId: string, amount: string, more = {}) => ({
      contract: items,
      tokenId,
      amount,
      wallet: "smart",
      metadata: { name: `Relic ${tokenId}`, image: "/x.svg", rarity: "rare", collection: "game-items", kind: "", attributes: [] },
      ...more,
    });
    has.held = [
      item("1", "5"),
      item("2", "1"),
      item("3", "1", { wallet: "verified" }),
      item("4", "1", { contract: `0x${"b2".repeat(20)}` }),
    ];
    creates(withdrawal());
    open("?tab=send");
    await press("Choose items");
    await userEvent.click(await screen.findByRole("checkbox", { name: /^Relic 1/ }));
    await userEvent.click(screen.getByRole("checkbox", { name: "Relic 2" }));
    expect(screen.queryByText("Relic 3")).not.toBeInTheDocument();
    expect(screen.queryByText("Relic 4")).not.toBeInTheDocument();
    await fill("How many Relic 1", "6");
    await continueTo(friend);
    expect(screen.getByLabelText("How many Relic 1")).toHaveAccessibleDescription("You have 5.");
    await press("All 5 of Relic 1");
    await press("Continue");
    await heading("Check and confirm");
    expect(calls.at(-1)?.[1]).toEqual({
      to: friend,
      assets: [
        { chainId: chain, contract: items, tokenId: "1", amount: "5" },
        { chainId: chain, contract: items, tokenId: "2", amount: "1" },
      ],
    });
  });

  it("begins with the item that a link names", async () => {
    has.held = [
      {
        contract: items,
        tokenId: "7",
        amount: "1",
        wallet: "smart",
        metadata: { name: "Relic 7", image: "/x.svg", rarity: "rare", collection: "game-items", kind: "", attributes: [] },
      },
    ];
    open(`?tab=send&asset=${items.toUpperCase().replace("X", "x")}:7`);
    await waitFor(async () => expect(await screen.findByRole("checkbox", { name: "Relic 7" })).toBeChecked());
  });

  it("moves everything to the player's own wallet, if one is connected", async () => {
    signedIn({ smartWalletAddress: smart, userVerifiedWallet: { walletAddress: own } });
    creates(withdrawal({ to: own, own: true }));
    open("?tab=send");
    await userEvent.click(await screen.findByRole("radio", { name: /^Move everything/ }));
    expect(screen.queryByLabelText("USDC to send")).not.toBeInTheDocument();
    await press("Continue");
    await heading("Check and confirm");
    expect(calls).toEqual([["POST /api/auth/withdrawals", { to: own, everything: true }]]);
    expect(screen.getByText("To: your own wallet")).toBeInTheDocument();
  });

  it("explains to players without email and wallet what they can do", async () => {
    signedIn({ smartWalletAddress: smart, AccountInfo: { ...profile().AccountInfo, PrivateInfo: { Email: "" } } });
    server.use(http.post("*/api/auth/withdrawals", () => problem(409, "Your account has no email.", { reason: "proof" })));
    open("?tab=send");
    expect(await screen.findByText(/You can send to your own connected wallet, and confirm by its signature/)).toBeInTheDocument();
    expect(screen.getByRole("radio", { name: /^Move everything/ })).toBeDisabled();
    expect(screen.getByRole("link", { name: "Connect your own wallet" })).toHaveAttribute("href", "/portal/edit");
    await fill("USDC to send", "1");
    await continueTo(friend);
    expect(within(await screen.findByRole("alert")).getByRole("link", { name: "Open your settings" })).toHaveAttribute(
      "href",
      "/portal/edit",
    );
  });
});

describe("a withdrawal to be confirmed", () => {
  const asked = (proof: string, lookalikes: string[] = []) => ({ asked: { proof, lookalikes, at: Date.now() - 61_000 } });
  const confirms = (answer: (body: unknown) => Response) =>
    server.use(http.post("*/api/auth/withdrawals/:id/confirm", async ({ request }) => answer(await request.json())));
  const accepts = (some: Partial<Withdrawal>) =>
    confirms(() => {
      has.withdrawals = [confirmed(some)];
      return HttpResponse.json(has.withdrawals[0]);
    });

  // Spec: MONEY-2
  it("shows a lookalike of its address above each other, with what differs", async () => {
    has.withdrawals = [withdrawal({ to: lookalike })];
    has.book = [{ address: friend, label: "Ben" }];
    open("?tab=send&withdrawal=W1", asked("code", [friend]));
    const note = await screen.findByRole("note");
    expect(note).toHaveTextContent("32 characters in between differ");
    const addresses = [within(note).getByText("You are sending to"), await within(note).findByText("You know: Ben")].map(
      (term) => term.nextElementSibling,
    );
    expect(addresses.map((element) => element?.textContent)).toEqual([lookalike, friend]);
    const marked = [...(addresses[0]?.querySelectorAll(".text-bad") ?? [])].map((element) => element.textContent).join("");
    expect(marked).toBe(lookalike.slice(6, -4));
  });

  // Spec: MONEY-3
  it("is confirmed by the emailed code; a wrong one is said at the field", async () => {
    has.withdrawals = [withdrawal()];
    confirms(() => problem(400, "Wrong code.", { errors: [{ location: "body.code", message: "This code is wrong or too old." }] }));
    open("?tab=send&withdrawal=W1", asked("code"));
    await fill("Code", "1234 5678");
    await press("Confirm");
    await waitFor(() => expect(screen.getByLabelText("Code")).toHaveAccessibleDescription("This code is wrong or too old."));
    expect(screen.getByLabelText("Code")).toHaveValue("1234 5678");
    accepts({ readyAt: iso(day) });
    await press("Confirm");
    await expectFocus(heading(/^You can send it from \w+ \d+, \d{4}, \d\d:\d\d \S+/));
    expect(calls.at(-1)).toEqual(["POST /api/auth/withdrawals/W1/confirm", { code: "12345678" }]);
    expect(screen.queryByRole("button", { name: "Send" })).not.toBeInTheDocument();
  });

  it("has another code sent", async () => {
    has.withdrawals = [withdrawal()];
    server.use(http.post("*/api/auth/withdrawals/:id/code", () => HttpResponse.json({ success: true })));
    open("?tab=send&withdrawal=W1", asked("code"));
    await press("Send it again");
    expect(await screen.findByText("Another mail is on its way.")).toHaveRole("status");
  });

  // Spec: MONEY-3
  it("is confirmed by the password where no email is sent, also if the page did not know", async () => {
    has.withdrawals = [withdrawal()];
    server.use(http.post("*/api/auth/withdrawals/:id/code", () => problem(409, "No email.", { reason: "proof" })));
    open("?tab=send&withdrawal=W1");
    await press("Send it again");
    await userEvent.type(await screen.findByLabelText("Password"), "three odd herons");
    accepts({});
    await press("Confirm");
    await heading("Ready to send");
    expect(calls.at(-1)).toEqual(["POST /api/auth/withdrawals/W1/confirm", { password: "three odd herons" }]);
  });

  // Spec: SAFE-15
  it("is confirmed by a passkey, also if the page did not know, and by a code without it", async () => {
    has.withdrawals = [withdrawal()];
    has.passkeys = [{ id: "K", name: "Phone", createdAt: iso(-day), approvesFrom: iso(-1), synced: false }];
    server.use(
      http.get("*/api/auth/passkeys/challenge", () => HttpResponse.json({ options: { challenge: "c" } })),
      http.post("*/api/auth/withdrawals/:id/code", () => HttpResponse.json({ success: true })),
    );
    open("?tab=send&withdrawal=W1");
    answered.mockRejectedValueOnce(Object.assign(new Error(), { name: "NotAllowedError" }));
    await press("Use your passkey");
    await screen.findByText("Your device did not confirm it. Please try again.");
    await press("I do not have it here");
    await screen.findByLabelText("Code");
    expect(calls).toEqual([["POST /api/auth/withdrawals/W1/code", undefined]]);
    cleanup();
    open("?tab=send&withdrawal=W1", asked("passkey"));
    answered.mockResolvedValueOnce({ id: "answered" });
    accepts({ readyAt: iso(day) });
    await press("Use your passkey");
    await heading(/^You can send it from/);
    expect(calls.at(-1)).toEqual(["POST /api/auth/withdrawals/W1/confirm", { passkey: { id: "answered" } }]);
  });

  describe("by a signature", () => {
    function install(account: string, sign: () => string) {
      const provider = {
        request: async ({ method }: { method: string }) => {
          if (method === "eth_requestAccounts") return [account];
          if (method === "eth_chainId") return `0x${chain.toString(16)}`;
          if (method === "personal_sign") return sign();
          throw new Error(method);
        },
      };
      const announce = () =>
        dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail: { info: { uuid: "1", name: "Hermes", icon: "" }, provider } }));
      addEventListener("eip6963:requestProvider", announce, { once: true });
    }

    it("of another account of the wallet is not asked for", async () => {
      signedIn({ smartWalletAddress: smart, AccountInfo: { ...profile().AccountInfo, PrivateInfo: { Email: "" } } });
      has.withdrawals = [withdrawal({ to: own, own: true })];
      install(friend, () => "0x5e");
      open("?tab=send&withdrawal=W1");
      await press("Sign with Hermes");
      expect(await screen.findByText("This wallet shows another account. Choose your connected one in it, and try again.")).toHaveRole(
        "alert",
      );
    });

    it("of the own wallet is confirmed and ready at once; refusals are told", async () => {
      signedIn({
        smartWalletAddress: smart,
        userVerifiedWallet: { walletAddress: own },
        AccountInfo: { ...profile().AccountInfo, PrivateInfo: { Email: "" } },
      });
      has.withdrawals = [withdrawal({ to: own, own: true })];
      let refuses = true;
      install(own, () => {
        if (refuses) throw Object.assign(new Error("no"), { code: 4001 });
        return "0x5e";
      });
      server.use(http.post("*/api/auth/wallet/challenge", () => HttpResponse.json({ message: "Sign this." })));
      open("?tab=send&withdrawal=W1");
      await press("Sign with Hermes");
      expect(await screen.findByText("You said no in your wallet, so nothing has changed.")).toHaveRole("alert");
      refuses = false;
      accepts({ to: own, own: true });
      await press("Sign with Hermes");
      await heading("Ready to send");
      expect(calls.at(-1)).toEqual(["POST /api/auth/withdrawals/W1/confirm", { message: "Sign this.", signature: "0x5e" }]);
    });
  });

  it("is cancelled on request", async () => {
    has.withdrawals = [withdrawal()];
    open("?tab=send&withdrawal=W1", asked("code"));
    await press("Cancel it");
    await expectFocus(heading("Cancelled"));
    expect(screen.getByText("You cancelled it. Nothing has left your wallet.")).toBeInTheDocument();
  });

  it.each(["sent", "sending"] as const)("that was cancelled when a part of it was %s does not say that nothing has left", async (state) => {
    const one = confirmed({ state: "cancelled", reason: "Your password was changed." });
    has.withdrawals = [withPart(one, { state })];
    open("?tab=send&withdrawal=W1");
    expect(await screen.findByText("Your password was changed. What was sent before stays sent.")).toBeInTheDocument();
  });

  it("that cannot be cancelled any more says why", async () => {
    has.withdrawals = [withdrawal()];
    server.use(
      http.delete("*/api/auth/withdrawals/:id", () =>
        problem(409, "This withdrawal is on its way and cannot be stopped.", { reason: "sending" }),
      ),
    );
    open("?tab=send&withdrawal=W1", asked("code"));
    await press("Cancel it");
    expect(await screen.findByText("This withdrawal is on its way and cannot be stopped.")).toHaveRole("alert");
  });

  it("that did not load can be loaded again", async () => {
    open("?tab=send&withdrawal=W1");
    expect(await screen.findByText("This withdrawal did not load")).toBeInTheDocument();
  });

  it("that has expired says so", async () => {
    has.withdrawals = [withdrawal({ state: "expired" })];
    open("?tab=send&withdrawal=W1");
    await heading("Expired");
    expect(screen.queryByRole("button", { name: "Cancel it" })).not.toBeInTheDocument();
  });
});

describe("a withdrawal that is ready", () => {
  const transfer = { to: usdc, value: "0", data: "0x" };
  beforeEach(() => {
    const stop = keepWallet();
    has.withdrawals = [confirmed()];
    server.use(http.get("*/api/auth/withdrawals/:id/parts/:part/calls", () => HttpResponse.json({ chainId: chain, calls: [transfer] })));
    return stop;
  });

  const becomes = (w: Withdrawal) => {
    has.withdrawals = [w];
    act(() => dispatch({ channelId: "withdrawal", type: "update", payload: { withdrawalId: "W1" } }));
  };

  it.each([
    ["the game chain", chain],
    ["the main chain", mainChain],
  ])("is sent on %s, and shows its transaction", async (_, on) => {
    has.withdrawals = [withPart(confirmed(), { chainId: on })];
    world.accepted = () => {
      has.withdrawals = [withPart(confirmed(), { chainId: on, state: "sending" })];
    };
    open("?tab=send&withdrawal=W1");
    await press("Send");
    expect(await screen.findByText("On its way. This takes a few seconds.")).toHaveRole("status");
    expect(world.sentOn).toBe(String(on));
    expect(screen.queryByRole("button", { name: "Cancel it" })).not.toBeInTheDocument();
    becomes(withPart(confirmed({ state: "done" }), { chainId: on, state: "sent", txHash: transaction }));
    await heading("Sent");
    expect(screen.getByTitle(transaction)).toHaveTextContent("0x7a7a…7a7a");
  });

  it("says why it was refused, and can be sent again", async () => {
    server.use(
      http.get(
        "*/api/auth/withdrawals/:id/parts/:part/calls",
        () => problem(429, "You can take 5000 USDC a day out of your wallet.", { reason: "daily-limit" }),
        { once: true },
      ),
    );
    open("?tab=send&withdrawal=W1");
    await press("Send");
    expect(await screen.findByText("You can take 5000 USDC a day out of your wallet.")).toHaveRole("alert");
    await press("Send");
    await waitFor(() => expect(world.sent).toBeDefined());
    expect(operation).toBeDefined();
  });

  it("whose answer is lost is not told as a failure, and is sent once", async () => {
    world.lost = () => HttpResponse.error();
    world.accepted = () => {
      has.withdrawals = [withPart(confirmed(), { state: "sending" })];
    };
    open("?tab=send&withdrawal=W1");
    await press("Send");
    expect(await screen.findByText("On its way. This takes a few seconds.")).toHaveRole("status");
    expect(screen.queryByRole("alert")).toBeNull();
    expect(world.has).toHaveLength(1);
  });

  // Spec: MONEY-4
  it("that was dropped says so, and can be sent again", async () => {
    has.withdrawals = [withPart(confirmed(), { state: "sending" })];
    open("?tab=send&withdrawal=W1");
    await screen.findByText("On its way. This takes a few seconds.");
    becomes(confirmed());
    expect(await screen.findByText("It did not get through. Nothing has left your wallet. You can send it again.")).toHaveRole("status");
    expect(screen.getByRole("button", { name: "Send" })).toBeEnabled();
  });

  it("that the chain refused says so", async () => {
    has.withdrawals = [
      withPart(confirmed({ state: "done" }), {
        state: "failed",
        error: "The transfer was refused on chain. Nothing has left your wallet.",
      }),
    ];
    open("?tab=send&withdrawal=W1");
    await heading("Not sent");
    expect(screen.getByText("The transfer was refused on chain. Nothing has left your wallet.")).toBeInTheDocument();
  });

  it("in several parts has a button for each", async () => {
    const [part] = confirmed().parts;
    has.withdrawals = [
      confirmed({
        parts: [{ ...part, state: "sent", txHash: transaction } as never, { ...part, partId: "P2", chainId: mainChain } as never],
      }),
    ];
    open("?tab=send&withdrawal=W1");
    expect(await screen.findByRole("button", { name: "Send part 2 of 2" })).toBeEnabled();
    expect(screen.queryByRole("button", { name: "Send part 1 of 2" })).not.toBeInTheDocument();
    expect(screen.getByText("100.00 USDC")).toBeInTheDocument();
  });
});

describe("the list of withdrawals", () => {
  it("has each with its state, and cancels those that are not sent", async () => {
    has.withdrawals = [
      confirmed({ withdrawalId: "W2", readyAt: iso(day) }),
      withdrawal({ withdrawalId: "W0", state: "done", own: true, to: own }),
    ];
    open("?tab=withdrawals");
    const list = within(await screen.findByRole("tabpanel"));
    expect(await list.findByText(/^You can send it from /)).toBeInTheDocument();
    expect(list.getByText("Sent")).toBeInTheDocument();
    expect(list.getAllByRole("button", { name: /^Cancel / })).toHaveLength(1);
    await userEvent.click(list.getByRole("button", { name: "Cancel 50.00 USDC to 0xfeed…beef" }));
    await waitFor(() => expect(list.getAllByText("Cancelled")).toHaveLength(2));
  });

  it("is empty at first", async () => {
    open("?tab=withdrawals");
    expect(await screen.findByText("Nothing was sent yet")).toBeInTheDocument();
  });
});

describe("the address book", () => {
  it("takes an address with a name, renames and removes it", async () => {
    server.use(
      http.put("*/api/auth/address-book/:address", async ({ request, params: { address } }) => {
        has.book = [{ address: String(address), label: ((await request.json()) as { label: string }).label }];
        return HttpResponse.json({ success: true });
      }),
      http.delete("*/api/auth/address-book/:address", () => {
        has.book = [];
        return HttpResponse.json({ success: true });
      }),
    );
    open("?tab=addresses");
    expect(await screen.findByText(/No address is saved yet/)).toBeInTheDocument();
    await press("Save the address");
    expect(screen.getByLabelText("Address")).toHaveAccessibleDescription("Enter the address.");
    expect(screen.getByLabelText("Name")).toHaveAccessibleDescription("Enter a name.");
    await fill("Address", ` ${friend} `);
    await fill("Name", "Ben");
    await press("Save the address");
    expect(await screen.findByText("Ben is saved.")).toHaveRole("status");
    await press("Rename Ben");
    expect(screen.getByLabelText("New name")).toHaveFocus();
    await fill("New name", "Benedict");
    await press("Save the name");
    await expectFocus(screen.findByText("It is called Benedict now."));
    await press("Remove Benedict");
    await expectFocus(screen.findByText("Benedict is removed."));
    expect(calls.map(([what]) => what)).toEqual([
      `PUT /api/auth/address-book/${friend}`,
      `PUT /api/auth/address-book/${friend}`,
      `DELETE /api/auth/address-book/${friend}`,
    ]);
  });

  it("says what the server refuses at its field", async () => {
    server.use(
      http.put("*/api/auth/address-book/:address", () =>
        problem(400, "This is the zero address.", {
          reason: "recipient",
          errors: [{ location: "body.to", message: "This is the zero address." }],
        }),
      ),
    );
    open("?tab=addresses");
    await fill("Address", `0x${"0".repeat(40)}`);
    await fill("Name", "Nobody");
    await press("Save the address");
    await waitFor(() => expect(screen.getByLabelText("Address")).toHaveAccessibleDescription(/This is the zero address./));
    expect(screen.getByLabelText("Name")).toHaveValue("Nobody");
  });
});

it("forgets what was being sent when the session ends", async () => {
  sendings.set({ of: { P1: { state: "signing" } } });
  const { forgetEverything } = await import("~/features/session/session");
  forgetEverything();
  expect(sendings.get().of).toEqual({});
  expect(session.get().profile).toBeNull();
});
