import { renderHook, waitFor } from "@testing-library/react";
import { decodeFunctionData, type Hex, parseAbi } from "viem";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { logout } from "~/features/session/session";
import { session } from "~/features/session/store";
import { disconnectWallet } from "~/features/wallet/connection";
import { problemOf } from "~/features/wallet/operation";
import { tabKeys } from "~/lib/tab-keys";
import { contract, profile, signedIn } from "../../../test/make";
import { HttpResponse, http, problem, server } from "../../../test/server";
import { answerWallet, chain, mainChain, smart, transaction, type WalletWorld } from "../../../test/wallet";
import { burn, burns, putAway, useBurns, type Wanted } from "./burn";

const accountAbi = parseAbi([
  "struct Call { address target; uint256 value; bytes data; }",
  "function executeBatch(Call[] calls) payable returns (bytes[])",
  "function execute(address target, uint256 value, bytes data) payable returns (bytes)",
]);
const tokenAbi = parseAbi(["function burn(address account, uint256 id, uint256 value)"]);

const another = `0x${"b2".repeat(20)}`;
const banks: Wanted = {
  origin: "piggy-bank",
  chain: "gameChain",
  items: [
    { contract, tokenId: "1", amount: 2 },
    { contract: another, tokenId: "2", amount: 1 },
  ],
};
const ark: Wanted = { origin: "ark", chain: "mainChain", items: [{ contract, tokenId: "4", amount: 1 }] };

let world: WalletWorld;

beforeEach(() => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  signedIn();
  world = answerWallet();
  server.use(http.get("*/api/auth/logout", () => HttpResponse.json({})));
});

afterEach(async () => {
  await logout();
  session.set(session.initial);
  disconnectWallet();
});

/** What the operation's calls burn: account, id and number, by contract. */
function burned() {
  const { functionName, args } = decodeFunctionData({ abi: accountAbi, data: world.sent?.callData as Hex });
  const calls = functionName === "executeBatch" ? args[0].map(({ target, value, data }) => [target, value, data] as const) : [args];
  return calls.map(([target, value, data]) => ({
    target: target.toLowerCase(),
    value,
    args: decodeFunctionData({ abi: tokenAbi, data }).args,
  }));
}

const now = (origin: Wanted["origin"] = "piggy-bank") => burns.get().of[origin];
const changes = (states: (string | undefined)[]) => states.filter((state, i) => state !== states[i - 1]);
const reload = () => {
  const stored = sessionStorage.getItem(tabKeys.burns);
  burns.set(burns.initial);
  sessionStorage.setItem(tabKeys.burns, stored ?? "");
};

describe("a burn", () => {
  it("is one operation with one call for each token id, and gives its transaction once that is in a block", async () => {
    await expect(burn(banks)).resolves.toBe(transaction);
    expect(burned()).toEqual([
      { target: contract.toLowerCase(), value: 0n, args: [smart, 1n, 2n] },
      { target: another, value: 0n, args: [smart, 2n, 1n] },
    ]);
    expect(world.sentOn).toBe(String(chain));
    expect(now()).toMatchObject({ ...banks, state: "burned", operation: world.has[0], txId: transaction });
  });

  // Spec: WALLET-22
  it("of what lies on the main chain is signed for that chain and sent there", async () => {
    await burn(ark);
    expect(burned()).toEqual([{ target: contract.toLowerCase(), value: 0n, args: [smart, 4n, 1n] }]);
    expect(world.sentOn).toBe(String(mainChain));
    expect(world.signed).toMatchObject({ chainId: mainChain });
  });

  // Spec: BURN-7
  it("is sent once, however often it is asked for", async () => {
    const first = burn(banks);
    await expect(burn(banks)).rejects.toThrow("Another burn is under way.");
    await first;
    expect(world.rpc.filter((call) => call === "bundler eth_sendUserOperation")).toHaveLength(1);
  });

  it("waits for another operation of the account, and says so", async () => {
    const answers = [{ error: { code: -32500, message: "AA25 invalid account nonce", data: { retryAfter: 0.3 } } }, {}];
    const states: (string | undefined)[] = [];
    const stop = burns.subscribe(() => states.push(now()?.state));
    world.bundle = () => answers.shift() ?? {};
    await burn(banks);
    stop();
    expect(changes(states)).toEqual(["sending", "waiting", "sending", "confirming", "burned"]);
  });

  it.each([
    ["switched off", "Opening packs is paused just now. Please try again later.", "paused"],
    ["over the quota", "You have used today's free operations. Please try again in 3 hours.", "quota"],
    ["of a frozen account", "This account is frozen: Under review. Please write to our support.", "frozen"],
  ])("that is refused as %s burns nothing, and says why", async (_, message, reason) => {
    world.bundle = () => ({ error: { code: -32500, message, data: { reason } } });
    await expect(burn(banks)).rejects.toThrow();
    expect(now()?.state).toBe("failed");
    expect(problemOf(now()?.error)).toMatchObject({ message, reason });
  });

  // Spec: BURN-7
  it("that the signer refuses says why, and can be tried again", async () => {
    const sign = world.sign;
    world.sign = () => problem(409, "Opening packs is paused just now.", { reason: "paused" });
    await expect(burn(banks)).rejects.toThrow();
    expect(problemOf(now()?.error)?.message).toBe("Opening packs is paused just now.");
    world.sign = sign;
    await burn(banks);
    expect(now()).toMatchObject({ state: "burned" });
    expect(now()?.error).toBeUndefined();
  });

  it("that the chain reverts says that nothing was burned", async () => {
    world.receipt = () => ({ success: false });
    await expect(burn(banks)).rejects.toThrow("The chain refused this. Nothing was burned.");
    expect(now()).toMatchObject({ state: "failed" });
  });

  it("of what is gone, such as in another tab, says so without the contract's words", async () => {
    world.bundle = () => ({
      error: { code: -32521, message: "execution reverted: ERC1155InsufficientBalance(sender 0x79)", data: { reason: "reverted" } },
    });
    await expect(burn(banks)).rejects.toThrow();
    expect(problemOf(now()?.error)?.message).toBe(
      "The chain refuses this, so nothing was sent. It may be done already, perhaps in another window.",
    );
  });

  it("whose receipt cannot be had is late, and goes on when there is one", async () => {
    let asked = 0;
    world.receipt = () => (++asked === 1 ? { error: { code: -32603, message: "Away." } } : { success: true });
    const states: (string | undefined)[] = [];
    const stop = burns.subscribe(() => states.push(now()?.state));
    await burn(banks);
    stop();
    expect(changes(states)).toEqual(["sending", "confirming", "late", "burned"]);
  });

  it("is put away when it is over, and not before", async () => {
    world.receipt = () => null;
    const running = burn(banks).catch(() => {});
    await vi.waitFor(() => expect(now()?.state).toBe("confirming"));
    putAway("piggy-bank");
    expect(now()?.state).toBe("confirming");
    world.receipt = () => ({ success: true });
    await running;
    putAway("piggy-bank");
    expect(now()).toBeUndefined();
    expect(sessionStorage.getItem(tabKeys.burns)).not.toContain(world.has[0]);
  });
});

describe("a burn whose answer is lost", () => {
  const lost: [string, (id: number) => Response][] = [
    ["a connection that breaks", () => HttpResponse.error()],
    ["an answer of the proxy that the server is away", () => new HttpResponse("Bad gateway", { status: 502 })],
    ["a timeout on the way", () => new HttpResponse(null, { status: 408 })],
    ["an answer that is not JSON", () => new HttpResponse("<html>", { status: 200 })],
    ["an answer without a result", (id) => HttpResponse.json({ jsonrpc: "2.0", id })],
    ["an answer to something else", () => HttpResponse.json({ jsonrpc: "2.0", id: 999, result: "0x" })],
    ["an answer with another hash", (id) => HttpResponse.json({ jsonrpc: "2.0", id, result: `0x${"00".repeat(32)}` })],
  ];
  /** Cuts the first answers. */
  const cut = (response: (id: number) => Response, times = 1) => {
    let left = times;
    world.lost = (id) => (left-- > 0 ? response(id) : undefined);
  };

  it.each(lost)("by %s is not a failure: it is burned once, and shown", async (_, response) => {
    cut(response);
    const states: (string | undefined)[] = [];
    const stop = burns.subscribe(() => states.push(now()?.state));
    await expect(burn(banks)).resolves.toBe(transaction);
    stop();
    expect(states).not.toContain("failed");
    expect(now()).toMatchObject({ ...banks, state: "burned", txId: transaction });
    expect(world.has).toHaveLength(1);
  });

  it("an internal error of the relay that has it is none either", async () => {
    cut((id) => HttpResponse.json({ jsonrpc: "2.0", id, error: { code: -32603, message: "Something went wrong on our side." } }));
    await expect(burn(banks)).resolves.toBe(transaction);
    expect(world.has).toHaveLength(1);
  });

  it("is not asked for again meanwhile", async () => {
    let away = false;
    server.use(http.post("*/api/proxy/bundler/:on", () => (away ? HttpResponse.error() : undefined)));
    cut(() => {
      away = true;
      return HttpResponse.error();
    });
    const first = burn(banks);
    await vi.waitFor(() => expect(now()?.state).toBe("late"));
    await expect(burn(banks)).rejects.toThrow("Another burn is under way.");
    away = false;
    await first;
    expect(world.has).toHaveLength(1);
  });

  it("goes on when the relay has it, though its nonce is used up by itself", async () => {
    let answers = 0;
    const error = { code: -32500, message: "AA25 invalid account nonce" };
    world.lost = (id) => (++answers === 1 ? HttpResponse.error() : HttpResponse.json({ jsonrpc: "2.0", id, error }));
    await expect(burn(banks)).resolves.toBe(transaction);
    expect(world.has).toHaveLength(1);
  });

  it("has failed when the relay never had it and refuses it: nothing is burned, and it says why", async () => {
    world.bundle = () => ({
      error: {
        code: -32501,
        message: "This has expired, or you started something newer. Please try again.",
        data: { reason: "sponsorship" },
      },
    });
    cut(() => HttpResponse.error());
    await expect(burn(banks)).rejects.toThrow();
    expect(now()?.state).toBe("failed");
    expect(problemOf(now()?.error)?.message).toBe("This has expired, or you started something newer. Please try again.");
    expect(world.has).toEqual([]);
    expect(sessionStorage.getItem(tabKeys.burns)).not.toContain("signed");
  });

  // Spec: BURN-7
  it("goes on after a reload, also one before the answer", async () => {
    let away = false;
    server.use(http.post("*/api/proxy/bundler/:on", () => (away ? HttpResponse.error() : undefined)));
    world.lost = () => {
      away = true;
      return HttpResponse.error();
    };
    const before = burn(banks).catch(() => {});
    await vi.waitFor(() => expect(now()?.state).toBe("late"));
    reload();
    away = false;
    world.lost = () => undefined;
    renderHook(useBurns);
    expect(now()).toMatchObject({ ...banks, state: "confirming" });
    await waitFor(() => expect(now()).toMatchObject({ state: "burned", txId: transaction }));
    await before;
    expect(world.has).toHaveLength(1);
  });
});

describe("a burn that the relay drops", () => {
  it("has failed, and nothing is burned", async () => {
    world.receipt = () => ({ error: { code: -32500, message: "The operation was given up: execution reverted" } });
    await expect(burn(banks)).rejects.toThrow("The chain refused this. Nothing was burned.");
    expect(now()?.state).toBe("failed");
  });
});

describe("another player", () => {
  const stranger = () => signedIn({ AccountInfo: { ...profile().AccountInfo, PlayFabId: "00000000000000B2" } });

  it("who signs in before the operation is sent ends it: nothing is sent", async () => {
    world.sign = () => {
      stranger();
      return HttpResponse.json({ signature: `0x${"5e".repeat(65)}` });
    };
    await expect(burn(banks)).rejects.toThrow("Another player is signed in.");
    expect(world.rpc).not.toContain("bundler eth_sendUserOperation");
  });

  // Spec: BURN-7
  it("finds nothing of the one before", async () => {
    await burn(banks);
    const stored = sessionStorage.getItem(tabKeys.burns) ?? "";
    await logout();
    expect(now()).toBeUndefined();
    expect(sessionStorage.getItem(tabKeys.burns)).toBeNull();
    sessionStorage.setItem(tabKeys.burns, stored);
    stranger();
    renderHook(useBurns);
    expect(now()).toBeUndefined();
  });
});

describe("a reload", () => {
  // Spec: BURN-7
  it("goes on with a burn that was sent", async () => {
    world.receipt = () => null;
    const before = burn(banks).catch(() => {});
    await vi.waitFor(() => expect(now()?.state).toBe("confirming"));
    reload();
    world.receipt = () => ({ success: true });
    renderHook(useBurns);
    expect(now()).toMatchObject({ ...banks, state: "confirming", operation: world.has[0] });
    await waitFor(() => expect(now()).toMatchObject({ state: "burned", txId: transaction }));
    await before;
  });

  it("finds the transaction of one that is burned, and what was not sent is not there", async () => {
    await burn(banks);
    world.bundle = () => ({ error: { code: -32500, message: "No." } });
    await burn(ark).catch(() => {});
    reload();
    renderHook(useBurns);
    expect(now()).toMatchObject({ state: "burned", txId: transaction });
    expect(now("ark")).toBeUndefined();
  });

  it.each(["", "no json", "7", '{"player":"00000000000000A1","list":7}'])("takes %j, which it did not store, for nothing", (stored) => {
    sessionStorage.setItem(tabKeys.burns, stored);
    renderHook(useBurns);
    expect(burns.get().of).toEqual({});
  });
});
