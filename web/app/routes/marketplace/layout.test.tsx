import { act, render, screen, waitFor } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { flags } from "~/features/flags/store";
import { browserWallets } from "~/features/wallet/providers";
import { chainMetadataOf, clientConfig, signedIn } from "../../../test/make";
import { HttpResponse, http, problem, server } from "../../../test/server";
import Portal from "../portal/layout";
import CreateSmartWallet from "./create-smart-wallet";
import Marketplace from "./layout";

const own = "0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A";
const gameChain = 1337042;

/** A wallet of the browser, as the page sees it. */
class Wallet {
  accounts = [own.toLowerCase()];
  /** The requests, in order. */
  asked: string[] = [];
  declines = false;
  #listeners = new Map<string, Set<() => void>>();

  constructor(public chainId: number) {}

  async request({ method, params }: { method: string; params?: readonly unknown[] }): Promise<unknown> {
    this.asked.push(method);
    if (method === "eth_accounts") return this.accounts;
    if (method === "eth_chainId") return `0x${this.chainId.toString(16)}`;
    if (method !== "wallet_switchEthereumChain") throw new Error(`${method} is not known`);
    if (this.declines) throw Object.assign(new Error("No."), { code: 4001 });
    this.change(Number((params as [{ chainId: string }])[0].chainId));
    return null;
  }

  on(event: string, listener: () => void) {
    this.#listeners.set(event, (this.#listeners.get(event) ?? new Set()).add(listener));
  }

  removeListener(event: string, listener: () => void) {
    this.#listeners.get(event)?.delete(listener);
  }

  emit(event: string) {
    for (const listener of this.#listeners.get(event) ?? []) listener();
  }

  change(chainId: number) {
    this.chainId = chainId;
    this.emit("chainChanged");
  }

  get switches() {
    return this.asked.filter((method) => method === "wallet_switchEthereumChain").length;
  }
}

let wallet: Wallet;

/** Announces the wallet, as an extension does when a page asks for wallets. */
const announce = () =>
  dispatchEvent(
    new CustomEvent("eip6963:announceProvider", { detail: { info: { uuid: "1", name: "Hermes", icon: "" }, provider: wallet } }),
  );

/** Opens a page of the marketplace or the portal in a browser whose wallet is on a chain. */
function open(path: string) {
  addEventListener("eip6963:requestProvider", announce);
  const routes = [
    { path: "/kod-marketplace/create-smart-wallet", element: <CreateSmartWallet /> },
    { path: "/kod-marketplace/maintenance", element: "closed for repairs" },
    { path: "/kod-marketplace/*", element: <Marketplace /> },
    { path: "/portal/*", element: <Portal /> },
  ];
  const router = createMemoryRouter(routes, { initialEntries: [path] });
  render(<RouterProvider router={router} />);
  return { goTo: (to: string) => act(() => router.navigate(to)) };
}

beforeEach(() => {
  browserWallets.set({ list: [] });
  vi.spyOn(console, "warn").mockImplementation(() => {});
  vi.stubGlobal("matchMedia", () => ({ matches: true })); // a loader without motion
  signedIn({ userVerifiedWallet: { walletAddress: own } });
  server.use(
    http.get("*/api/config", () => HttpResponse.json(clientConfig())),
    http.get("*/api/proxy/chains/:id", ({ params: { id } }) => HttpResponse.json({ data: chainMetadataOf(Number(id)) })),
    http.all("*/api/*", () => problem(403, "Not in this test.")),
  );
});

afterEach(() => removeEventListener("eip6963:requestProvider", announce));

/** Waits until the wallet has been asked for its chain so often. */
const askedForChain = (times: number) =>
  waitFor(() => expect(wallet.asked.filter((method) => method === "eth_chainId")).toHaveLength(times));

// Spec: PAGE-7, FLAG-4
it.each(["/kod-marketplace", "/kod-marketplace/marketplace/checkout", "/kod-marketplace/create-smart-wallet"])(
  "maintenance_mode leads from %s to the maintenance page",
  async (path) => {
    flags.set({ flags: { maintenance_mode: { enabled: true } }, loading: false, isFetched: true });
    open(path);
    expect(await screen.findByText("closed for repairs")).toBeInTheDocument();
    flags.set(flags.initial);
  },
);

describe("an external wallet on another chain", () => {
  // Spec: WALLET-14
  it.each(["/kod-marketplace", "/kod-marketplace/marketplace/checkout", "/kod-marketplace/packs", "/kod-marketplace/create-smart-wallet"])(
    "is asked to switch to the game chain on %s",
    async (path) => {
      wallet = new Wallet(1);
      open(path);
      await waitFor(() => expect(wallet.chainId).toBe(gameChain));
      expect(wallet.asked.slice(0, 3)).toEqual(["eth_accounts", "eth_chainId", "wallet_switchEthereumChain"]);
    },
  );

  it("is asked with a notice, as its own window may be hidden", async () => {
    wallet = new Wallet(1);
    open("/kod-marketplace");
    expect(await screen.findByText("Your wallet is on another chain")).toBeInTheDocument();
  });

  // Spec: WALLET-14
  it("is not asked on the portal's pages, but on the way from there to the marketplace", async () => {
    wallet = new Wallet(1);
    const { goTo } = open("/portal/my-inventory");
    await import("~/features/wallet/game-chain");
    announce();
    expect([browserWallets.get().list, wallet.asked]).toEqual([[], []]);
    await goTo("/kod-marketplace");
    await waitFor(() => expect(wallet.chainId).toBe(gameChain));
  });

  // Spec: WALLET-14
  it("is asked whenever it leaves the game chain, while the marketplace is open", async () => {
    wallet = new Wallet(gameChain);
    const { goTo } = open("/kod-marketplace");
    await askedForChain(1);
    expect(wallet.switches).toBe(0);
    wallet.change(1337137); // the main chain is another one too
    await waitFor(() => expect(wallet.chainId).toBe(gameChain));
    await goTo("/portal/my-inventory");
    wallet.asked = [];
    wallet.change(1);
    expect(wallet.asked).toEqual([]);
  });

  // Spec: WALLET-14
  it("is not asked twice on the same chain when the player declines", async () => {
    wallet = new Wallet(1);
    wallet.declines = true;
    open("/kod-marketplace");
    await waitFor(() => expect(wallet.switches).toBe(1));
    wallet.emit("accountsChanged");
    await askedForChain(2);
    expect(wallet.switches).toBe(1);
    wallet.declines = false;
    wallet.change(5);
    await waitFor(() => expect(wallet.chainId).toBe(gameChain));
  });

  // Spec: WALLET-14
  it("is asked once it is unlocked and shows the player's account, and no other is", async () => {
    wallet = new Wallet(1);
    wallet.accounts = ["0x0000000000000000000000000000000000000001"];
    open("/kod-marketplace");
    await waitFor(() => expect(wallet.asked).toEqual(["eth_accounts"]));
    wallet.accounts = [own];
    wallet.emit("accountsChanged");
    await waitFor(() => expect(wallet.chainId).toBe(gameChain));
    expect(wallet.asked.slice(0, 2)).toEqual(["eth_accounts", "eth_accounts"]);
  });

  it("is not looked for by players who have connected none", async () => {
    signedIn();
    wallet = new Wallet(1);
    open("/kod-marketplace");
    await import("~/features/wallet/game-chain");
    announce();
    expect(browserWallets.get().list).toEqual([]);
  });
});
