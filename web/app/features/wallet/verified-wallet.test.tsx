import { QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { privateKeyToAccount } from "viem/accounts";
import { parseSiweMessage } from "viem/siwe";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { session } from "~/features/session/store";
import { queryClient } from "~/lib/query";
import { keys } from "~/lib/storage";
import { chainMetadataOf, clientConfig, jwt, profile, signedIn } from "../../../test/make";
import { HttpResponse, http, problem, server } from "../../../test/server";
import { VerifiedWallet } from "./components/verified-wallet";
import { EcosystemWalletNotFound } from "./errors";
import { browserWallets, providerOf, watchBrowserWallets } from "./providers";
import { wallet } from "./store";
import { switchChain } from "./verified-wallet";

const account = privateKeyToAccount(`0x${"11".repeat(32)}`);
const message = [
  "portal.example wants you to sign in with your Ethereum account:",
  account.address,
  "",
  "Show that this wallet is mine.",
  "",
  "URI: https://portal.example",
  "Version: 1",
  "Chain ID: 1337042",
  "Nonce: JBSWY3DPEHPK3PXP",
  "Issued At: 2026-03-01T12:00:00Z",
].join("\n");

/** The requests to the wallet, in order. */
let asked: string[];
/** Overrides of the wallet's responses, by method. */
let answers: Record<string, (params?: readonly unknown[]) => unknown>;
/** The wallet's current chain. */
let chainId: number;
/** The calls to the server, in order. */
let calls: string[];
let verified: string | undefined;

class Refusal extends Error {
  constructor(readonly code: number) {
    super("The wallet says no.");
  }
}
const refuse = (code: number) => () => {
  throw new Refusal(code);
};

const broken = () => {
  throw new TypeError("undefined is not a function");
};

/** A wallet as an extension injects it into pages. */
const provider = {
  async request({ method, params }: { method: string; params?: readonly unknown[] }): Promise<unknown> {
    asked.push(method);
    const instead = answers[method];
    if (instead) return instead(params);
    switch (method) {
      case "eth_requestAccounts":
        return [account.address];
      case "eth_chainId":
        return `0x${chainId.toString(16)}`;
      case "wallet_switchEthereumChain":
        chainId = Number((params as [{ chainId: string }])[0].chainId);
        return null;
      case "personal_sign":
        return account.signMessage({ message: { raw: params?.[0] as `0x${string}` } });
    }
    throw new Refusal(-32601);
  },
};

const announce = (info: object = { uuid: "1", name: "Hermes", icon: "data:image/svg+xml,<svg/>", rdns: "example.hermes" }) =>
  dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail: Object.freeze({ info, provider }) }));

/** Announces the wallet to pages that look for wallets, like an extension. */
function install(): () => void {
  const answer = () => announce();
  addEventListener("eip6963:requestProvider", answer);
  return () => removeEventListener("eip6963:requestProvider", answer);
}

beforeEach(() => {
  asked = [];
  answers = {};
  calls = [];
  chainId = 1337042;
  verified = undefined;
  browserWallets.set({ list: [] });
  localStorage.setItem(keys.token, jwt({ exp: Date.now() / 1000 + 3600 }));
  signedIn({ smartWalletAddress: `0x${"22".repeat(20)}` });
  vi.spyOn(console, "warn").mockImplementation(() => {});
  server.use(
    http.get("*/api/config", () => HttpResponse.json(clientConfig())),
    http.get("*/api/proxy/chains/:id", ({ params: { id } }) => HttpResponse.json({ data: chainMetadataOf(Number(id)) })),
    http.get("*/api/auth/profile", () => {
      calls.push("profile");
      const { userVerifiedWallet: _, ...rest } = profile({ smartWalletAddress: `0x${"22".repeat(20)}` });
      return HttpResponse.json(verified ? { ...rest, userVerifiedWallet: { walletAddress: verified } } : rest);
    }),
    http.post("*/api/auth/wallet/challenge", async ({ request }) => {
      calls.push(`challenge ${JSON.stringify(await request.json())}`);
      return HttpResponse.json({ message });
    }),
    http.post("*/api/auth/wallet/verify", async ({ request }) => {
      const body = (await request.json()) as { message: string; signature: string };
      calls.push("verify");
      expect(body).toEqual({ message, signature: await account.signMessage({ message }) });
      verified = account.address;
      return HttpResponse.json({ success: true, userVerifiedWallet: { walletAddress: verified } });
    }),
    http.delete("*/api/auth/wallet", () => {
      calls.push("disconnect");
      verified = undefined;
      return HttpResponse.json({ success: true });
    }),
  );
});

function show() {
  render(
    <QueryClientProvider client={queryClient}>
      <VerifiedWallet />
    </QueryClientProvider>,
  );
}

const connect = async () => userEvent.click(await screen.findByRole("button", { name: "Connect Hermes" }));
const short = "0x19E7…ff2A";

describe("the section of the player's own wallet", () => {
  // Spec: ACCOUNT-7
  it("connects a wallet that announces itself, by one signature", async () => {
    const remove = install();
    show();
    await connect();
    expect(await screen.findByTitle(account.address)).toBeInTheDocument();
    expect(asked).toEqual(["eth_requestAccounts", "eth_chainId", "personal_sign"]);
    expect(calls).toEqual([`challenge {"address":"${account.address.toLowerCase()}","chainId":1337042}`, "verify", "profile"]);
    expect(session.get().profile?.userVerifiedWallet?.walletAddress).toBe(account.address);
    expect(screen.getByText(/can be sold or opened here/)).toBeInTheDocument();
    remove();
  });

  it("finds wallets that come later, each once, and takes nothing of them but a name and a picture", async () => {
    show();
    expect(screen.getByText(/None is to be found in this browser/)).toBeInTheDocument();
    for (const info of [
      { uuid: "1", name: "Hermes", icon: "data:image/png;base64,AA" },
      { uuid: "1", name: "Hermes again", icon: "" },
      { uuid: "2", name: `${"Long ".repeat(5)}enough`, icon: "https://evil.example/track.png" },
      { uuid: 3, name: "No id" },
      { uuid: "4", name: 4 },
    ]) {
      announce(info);
    }
    dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail: { info: { uuid: "5", name: "No provider" } } }));
    dispatchEvent(new Event("eip6963:announceProvider"));
    expect((await screen.findAllByRole("button")).map((b) => b.textContent)).toEqual([
      "Connect Hermes",
      "Connect Long Long Long Long Long enoug",
    ]);
    expect([...document.querySelectorAll("img")].map((i) => i.getAttribute("src"))).toEqual(["data:image/png;base64,AA"]);
  });

  it("finds a wallet that only puts itself at window.ethereum", async () => {
    vi.stubGlobal("ethereum", provider);
    show();
    await userEvent.click(await screen.findByRole("button", { name: "Connect Browser wallet" }));
    expect(await screen.findByTitle(account.address)).toBeInTheDocument();
    vi.unstubAllGlobals();
  });

  it("asks a wallet on another chain to switch to the game chain", async () => {
    chainId = 1;
    const remove = install();
    show();
    await connect();
    expect(await screen.findByTitle(account.address)).toBeInTheDocument();
    expect(asked).toEqual(["eth_requestAccounts", "eth_chainId", "wallet_switchEthereumChain", "eth_chainId", "personal_sign"]);
    remove();
  });

  // Spec: CHAIN-3
  it("tells a wallet of the game chain that does not know it, then to switch", async () => {
    chainId = 1;
    answers.wallet_switchEthereumChain = refuse(4902);
    let told: unknown;
    answers.wallet_addEthereumChain = (params) => {
      told = params;
      delete answers.wallet_switchEthereumChain; // it knows the chain now, but does not switch
      return null;
    };
    const remove = install();
    show();
    await connect();
    expect(await screen.findByTitle(account.address)).toBeInTheDocument();
    expect(asked.filter((method) => method.startsWith("wallet_"))).toEqual([
      "wallet_switchEthereumChain",
      "wallet_addEthereumChain",
      "wallet_switchEthereumChain",
    ]);
    expect(told).toEqual([
      {
        chainId: "0x1466d2",
        chainName: "Game",
        nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
        rpcUrls: ["http://localhost:3000/api/proxy/rpc/1337042"],
        blockExplorerUrls: ["https://explorer.example"],
      },
    ]);
    remove();
  });

  it("is content with the main chain", async () => {
    chainId = 1337137;
    const remove = install();
    show();
    await connect();
    expect(await screen.findByTitle(account.address)).toBeInTheDocument();
    expect(calls[0]).toContain('"chainId":1337137');
    remove();
  });

  it.each<[string, string, () => unknown, string]>([
    ["refuses to connect", "eth_requestAccounts", refuse(4001), "You said no in your wallet, so nothing has changed."],
    ["refuses to sign", "personal_sign", refuse(4001), "You said no in your wallet, so nothing has changed."],
    ["is asking already", "eth_requestAccounts", refuse(-32002), "Your wallet is asking you already. Open it to answer."],
    ["has no account", "eth_requestAccounts", () => [], "Your wallet gave no account. Unlock it, and try again."],
    ["fails", "personal_sign", refuse(-32603), "Your wallet could not do this. Try again, or with another wallet."],
    ["breaks", "eth_requestAccounts", broken, "Your wallet could not do this. Try again, or with another wallet."],
  ])("says so when the wallet %s, and can be asked again", async (_, method, answer, text) => {
    const remove = install();
    answers[method] = answer;
    show();
    await connect();
    expect(await screen.findByText(text)).toBeInTheDocument();
    expect(calls).not.toContain("verify");
    delete answers[method];
    await connect();
    expect(await screen.findByTitle(account.address)).toBeInTheDocument();
    expect(screen.queryByText(text)).toBeNull();
    remove();
  });

  // Spec: WALLET-14
  it("says so when the wallet refuses to switch, or pretends to", async () => {
    const remove = install();
    chainId = 1;
    answers.wallet_switchEthereumChain = refuse(4001);
    show();
    await connect();
    expect(await screen.findByText("You said no in your wallet, so nothing has changed.")).toBeInTheDocument();
    answers.wallet_switchEthereumChain = () => null;
    await connect();
    expect(await screen.findByText("Your wallet stayed on another chain. Switch it to Game, and try again.")).toBeInTheDocument();
    answers.eth_requestAccounts = () => [];
    await connect();
    expect(await screen.findByText("Cannot switch chain without a previous connection")).toBeInTheDocument();
    expect(calls).toEqual([]);
    remove();
  });

  it("shows the server's word on a wallet that it does not take", async () => {
    const remove = install();
    server.use(http.post("*/api/auth/wallet/verify", () => problem(409, "This wallet is connected to another account.")));
    show();
    await connect();
    expect(await screen.findByText("This wallet is connected to another account.")).toBeInTheDocument();
    expect(session.get().profile?.userVerifiedWallet).toBeFalsy();
    remove();
  });

  // Spec: WALLET-16
  it("wallet disconnect clears holdings, the wallet's address and live listings, but keeps the profile", async () => {
    verified = account.address;
    signedIn({ userVerifiedWallet: { walletAddress: account.address } });
    const smart = `0x${"2".repeat(40)}`;
    wallet.set({ smartAddress: smart });
    const loaded = [["holdings", "listGameItems"], ["market", "listings"], ["cart"], ["wallet", "balance"], ["config"]];
    for (const key of loaded) queryClient.setQueryData(key, "something");
    show();
    await userEvent.click(screen.getByRole("button", { name: "Disconnect" }));
    expect(await screen.findByText(/None is to be found in this browser/)).toBeInTheDocument();
    expect(calls).toEqual(["disconnect", "profile"]);
    expect(loaded.filter((key) => queryClient.getQueryData(key) !== undefined)).toEqual([["config"]]);
    expect(session.get().profile).toMatchObject({ AccountInfo: { TitleInfo: { DisplayName: "Ianthe" } } });
    expect(session.get().profile?.userVerifiedWallet).toBeUndefined();
    expect(wallet.get().smartAddress).toBe(smart); // the portal's own stays connected: it was not disconnected
  });

  it("is connected once the emailed code has approved it, without signing again", async () => {
    const remove = install();
    let approved = false;
    server.use(
      http.post("*/api/auth/wallet/verify", () => {
        calls.push("verify");
        if (approved) {
          verified = account.address;
          return HttpResponse.json({ success: true, userVerifiedWallet: { walletAddress: verified } });
        }
        const details = {
          approvalId: "R1",
          kind: "wallet-connect",
          way: "code",
          sentTo: "i•••@example.com",
          expiresAt: "2026-03-01T12:15:00Z",
        };
        return problem(409, "Please enter the code.", { reason: "approval-needed", details });
      }),
      http.post("*/api/auth/approvals/R1/confirm", async ({ request }) => {
        const { code } = (await request.json()) as { code: string };
        if (code !== "12345678") {
          const wrong = "This code is wrong or too old. Please check it, or ask for a new one.";
          return problem(400, wrong, { reason: "wrong", errors: [{ location: "body.code", message: wrong }] });
        }
        approved = true;
        return HttpResponse.json({ success: true, message: "Thank you." });
      }),
    );
    show();
    await connect();
    const code = await screen.findByRole("textbox", { name: /Code/ });
    expect(code).toHaveFocus();
    expect(screen.getByText("i•••@example.com")).toBeInTheDocument();
    await userEvent.type(code, "11111111");
    await userEvent.click(screen.getByRole("button", { name: "Confirm" }));
    expect(await screen.findByText(/This code is wrong or too old/)).toBeInTheDocument();
    expect(code).toHaveValue("11111111");
    await userEvent.clear(code);
    await userEvent.type(code, "1234 5678{Enter}");
    expect(await screen.findByTitle(account.address)).toBeInTheDocument();
    expect(screen.queryByRole("textbox", { name: /Code/ })).not.toBeInTheDocument();
    expect(asked.filter((method) => method === "personal_sign")).toHaveLength(1);
    remove();
  });

  it("stays connected when the approval is cancelled", async () => {
    verified = account.address;
    signedIn({ userVerifiedWallet: { walletAddress: account.address } });
    const details = { approvalId: "R1", kind: "wallet-disconnect", way: "password", expiresAt: "2026-03-01T12:15:00Z" };
    server.use(
      http.delete("*/api/auth/wallet", () =>
        problem(409, "Please confirm this with your password.", { reason: "approval-needed", details }),
      ),
    );
    show();
    await userEvent.click(screen.getByRole("button", { name: "Disconnect" }));
    expect(await screen.findByLabelText("Password")).toHaveFocus();
    await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
    expect(screen.queryByLabelText("Password")).not.toBeInTheDocument();
    expect(screen.getByTitle(account.address)).toHaveTextContent(short);
    expect(screen.getByRole("button", { name: "Disconnect" })).toBeEnabled();
    expect(screen.getByRole("button", { name: "Disconnect" })).toHaveFocus();
  });

  it("stays connected when the approval is cancelled while its proof is on its way", async () => {
    verified = account.address;
    signedIn({ userVerifiedWallet: { walletAddress: account.address } });
    const details = { approvalId: "R1", kind: "wallet-disconnect", way: "password", expiresAt: "2026-03-01T12:15:00Z" };
    let tries = 0;
    let letGo = () => {};
    server.use(
      http.delete("*/api/auth/wallet", () => {
        tries++;
        return problem(409, "Please confirm this with your password.", { reason: "approval-needed", details });
      }),
      http.post("*/api/auth/approvals/R1/confirm", async () => {
        await new Promise<void>((resolve) => {
          letGo = resolve;
        });
        return HttpResponse.json({ success: true, message: "" });
      }),
    );
    show();
    await userEvent.click(screen.getByRole("button", { name: "Disconnect" }));
    await userEvent.type(await screen.findByLabelText("Password"), "three odd herons{Enter}");
    await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
    await act(async () => letGo());
    expect(tries).toBe(1);
  });

  it("stays connected, and says so, when the server cannot be told", async () => {
    verified = account.address;
    signedIn({ userVerifiedWallet: { walletAddress: account.address } });
    server.use(http.delete("*/api/auth/wallet", () => problem(503, "Not now.")));
    show();
    await userEvent.click(screen.getByRole("button", { name: "Disconnect" }));
    expect(await screen.findByText("Not now.")).toBeInTheDocument();
    expect(screen.getByTitle(account.address)).toHaveTextContent(short);
  });
});

describe("switching the chain", () => {
  // Spec: WALLET-14
  it("needs a connected account", async () => {
    await expect(switchChain(provider, undefined, 1337042)).rejects.toMatchObject({
      name: "NotConnected",
      message: "Cannot switch chain without a previous connection",
    });
    expect(asked).toEqual([]);
  });
});

describe("a wallet of this browser", () => {
  // Spec: WALLET-15
  it("is found by its id, once it has announced itself", () => {
    expect(() => providerOf("1")).toThrow(new EcosystemWalletNotFound());
    const stop = watchBrowserWallets();
    announce();
    expect(providerOf("1")).toBe(provider);
    expect(() => providerOf("2")).toThrow("Ecosystem wallet not found");
    stop();
  });
});

describe("the message", () => {
  it("is one that wallets recognise", () =>
    expect(parseSiweMessage(message)).toMatchObject({ domain: "portal.example", address: account.address, chainId: 1337042 }));
});
