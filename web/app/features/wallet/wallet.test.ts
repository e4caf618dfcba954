import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { claims } from "~/lib/jwt";
import { keys } from "~/lib/storage";
import { clientConfig, jwt, profile } from "../../../test/make";
import { HttpResponse, http, problem, server } from "../../../test/server";
import type { connectSmartWallet } from "./smart-wallet";

const owner = "0x1111111111111111111111111111111111111111";
const smart = "0x2222222222222222222222222222222222222222";
const config = clientConfig({
  gameChain: { accountFactory: `0x${"f".repeat(40)}`, accountImplementation: `0x${"a".repeat(40)}` },
});

/** The signed-in player. */
let current: string;
const of = (PlayFabId: string) => {
  const who = profile();
  return { ...who, AccountInfo: { ...who.AccountInfo, PlayFabId } };
};

/** An embedded-wallet token of the signed-in player. */
const walletToken = (claims: object) => jwt({ sub: current, ...claims });

/** The page's requests, by call. */
let asked: string[];
let authorizations: string[];
/** The server's response to the registration of the pair. */
let register: () => Response;
/** How many connections the signer refuses before it accepts one. */
let refusals: number;
/** The signer's response while it refuses. */
let refusal: () => Response;
let registered: { embeddedWallet: string | null; smartWallet: string | null };

beforeEach(() => {
  current = profile().AccountInfo.PlayFabId;
  asked = [];
  authorizations = [];
  refusals = 0;
  refusal = () => problem(401, "Not this token.");
  registered = { embeddedWallet: null, smartWallet: null };
  register = () => HttpResponse.json({ success: true, embeddedWallet: owner, smartWallet: smart });
  localStorage.setItem(keys.token, jwt({ exp: Date.now() / 1000 + 3600 }));
  localStorage.setItem(keys.sessionAuthorization, "Bearer session-secret");
  let tokens = 0;
  vi.spyOn(console, "warn").mockImplementation(() => {});
  server.use(
    http.get("*/api/auth/profile", () => {
      asked.push("profile");
      return HttpResponse.json({ ...of(current), smartWalletAddress: smart });
    }),
    http.get("*/api/config", () => HttpResponse.json(config)),
    http.get("*/api/smartWallet/embedded-token", ({ request }) => {
      asked.push("token");
      authorizations.push(request.headers.get("Authorization") ?? "");
      return HttpResponse.json({ token: `Bearer ${walletToken({ exp: Date.now() / 1000 + 900, n: ++tokens })}` });
    }),
    http.post("*/api/wallet/connect", ({ request }) => {
      asked.push("connect");
      authorizations.push(request.headers.get("Authorization") ?? "");
      return refusals-- > 0 ? refusal() : HttpResponse.json({ address: owner });
    }),
    http.post("*/api/smartWallet/has-smart-wallet", () => HttpResponse.json(registered)),
    http.post("*/api/smartWallet/create-smart-wallet", async ({ request }) => {
      asked.push(`store ${JSON.stringify(await request.json())}`);
      return register();
    }),
    http.post("*/api/proxy/rpc/1337042", async ({ request }) => {
      asked.push("rpc");
      const calls = (await request.json()) as { id: number }[];
      return HttpResponse.json(calls.map(({ id }) => ({ jsonrpc: "2.0", id, result: `0x${smart.slice(2).padStart(64, "0")}` })));
    }),
  );
});

/** The modules of a newly loaded page, with a player signed in. */
async function page() {
  vi.resetModules();
  const [connection, { wallet }, { session }] = await Promise.all([
    import("./connection"),
    import("./store"),
    import("~/features/session/store"),
  ]);
  session.set({ isAuthenticated: true, isLoading: false, profile: of(current) });
  return { ...connection, wallet, session };
}

const count = (what: string) => asked.filter((a) => a === what).length;

describe("connecting the wallet", () => {
  // Spec: WALLET-1, WALLET-3, WALLET-7, WALLET-10
  it("goes from token to stored pair, and loads the profile anew", async () => {
    const { connectWallet, wallet } = await page();
    await connectWallet();
    expect(wallet.get()).toMatchObject({
      status: "connected",
      step: "done",
      embeddedAddress: owner,
      smartAddress: smart,
      needsReconnect: false,
    });
    expect(asked).toEqual([
      "token",
      "connect",
      "rpc",
      `store {"playfabid":"00000000000000A1","embeddedWallet":"${owner}","smartWallet":"${smart}"}`,
      "profile",
    ]);
  });

  // Spec: WALLET-4
  it("buys the token with the session authorization alone, and connects with the token without its prefix twice", async () => {
    const { connectWallet } = await page();
    await connectWallet();
    expect(authorizations[0]).toBe("Bearer session-secret");
    expect(authorizations[1]).toBe(`Bearer ${localStorage.getItem(keys.walletToken)}`);
    expect(localStorage.getItem(keys.walletToken)).not.toMatch(/^Bearer/);
  });

  // Spec: SESSION-10, WALLET-11
  it("uses the stored token while it is good, and none that has expired", async () => {
    localStorage.setItem(keys.walletToken, walletToken({ exp: Date.now() / 1000 + 60 }));
    await (await page()).connectWallet();
    expect(count("token")).toBe(0);
    localStorage.setItem(keys.walletToken, walletToken({ exp: Date.now() / 1000 - 1 }));
    await (await page()).connectWallet();
    expect(count("token")).toBe(1);
  });

  // Spec: WALLET-3
  it("asks for nothing more when the pair is registered already", async () => {
    registered = { embeddedWallet: owner, smartWallet: smart };
    const { connectWallet, wallet } = await page();
    await connectWallet();
    expect(asked).toEqual(["token", "connect"]);
    expect(wallet.get()).toMatchObject({ status: "connected", smartAddress: smart });
  });

  it("connects once, however often it is asked for at the same time", async () => {
    const { connectWallet } = await page();
    await Promise.all([connectWallet(), connectWallet()]);
    await connectWallet();
    expect(count("connect")).toBe(1);
  });

  // Spec: WALLET-5
  it("tries three times, with a fresh token after each failure", async () => {
    refusals = 2;
    const { connectWallet, wallet } = await page();
    await connectWallet();
    expect([count("connect"), count("token")]).toEqual([3, 3]);
    expect(wallet.get().status).toBe("connected");
  });

  // Spec: WALLET-5
  it("gives up after the third failure, and can be asked again", async () => {
    refusals = 3;
    const { connectWallet, wallet } = await page();
    await expect(connectWallet()).rejects.toThrow("Failed to authenticate");
    expect(count("connect")).toBe(3);
    expect(wallet.get()).toMatchObject({ status: "failed", error: "Failed to authenticate" });
    await connectWallet();
    expect(wallet.get()).toMatchObject({ status: "connected", error: "" });
  });

  // Spec: WALLET-12
  it.each([undefined, ""])("needs the client id of the embedded wallet, and not %j", async (clientId) => {
    server.use(http.get("*/api/config", () => HttpResponse.json({ ...config, clientId })));
    const { connectWallet, wallet } = await page();
    await expect(connectWallet()).rejects.toMatchObject({ name: "ClientIdMissing", message: "clientId or secretKey must be provided" });
    expect(wallet.get()).toMatchObject({ status: "failed", error: "clientId or secretKey must be provided" });
    expect(asked).toEqual([]);
  });

  it("without a player fails with the same message", async () => {
    const { connectWallet, session } = await page();
    session.set({ profile: null });
    await expect(connectWallet()).rejects.toThrow("Failed to authenticate");
    expect(count("connect")).toBe(0);
  });

  const away = () => problem(503, "We cannot reach our database just now.");

  // Spec: WALLET-5
  it.each<[string, () => void]>([
    [
      "the signer",
      () => {
        refusals = 3;
        refusal = away;
      },
    ],
    ["who sells its tokens", () => server.use(http.get("*/api/smartWallet/embedded-token", away))],
  ])("fails with the same message when %s cannot answer", async (_, breaks) => {
    breaks();
    const { connectWallet, wallet } = await page();
    await expect(connectWallet()).rejects.toThrow("Failed to authenticate");
    expect(wallet.get()).toMatchObject({ status: "failed", error: "Failed to authenticate" });
  });

  it("says it in the server's words when who knows the pairs cannot answer", async () => {
    server.use(http.post("*/api/smartWallet/has-smart-wallet", away));
    const { connectWallet, wallet } = await page();
    await expect(connectWallet()).rejects.toThrow("We cannot reach our database just now.");
    expect(wallet.get()).toMatchObject({ status: "failed", error: "We cannot reach our database just now." });
  });
});

describe("the wallet's token", () => {
  const minute = 60;
  /** Shifts the browser's clock by `minutes`. The server's clock is right. */
  function wrongClock(minutes: number) {
    const right = Date.now();
    vi.setSystemTime(right + minutes * minute * 1000);
    server.use(
      http.get("*/api/auth/profile", () =>
        HttpResponse.json({ ...of(current), smartWalletAddress: smart }, { headers: { Date: new Date(right).toUTCString() } }),
      ),
    );
    return right / 1000;
  }
  beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
  afterEach(() => void vi.useRealTimers());

  // Spec: SESSION-15, WALLET-11
  it.each([
    ["behind, is replaced when it has expired", -30, -1, 1],
    ["ahead, is used while it is good", 30, 14 * minute, 0],
  ])("in a browser whose clock is %s by the server's", async (_, minutes, left, fresh) => {
    const now = wrongClock(minutes);
    const { connectWallet } = await page();
    await (await import("~/features/session/session")).loadProfile();
    localStorage.setItem(keys.walletToken, walletToken({ exp: now + left }));
    await connectWallet();
    expect([count("token"), count("connect")]).toEqual([fresh, 1]);
  });
});

describe("a signature", () => {
  /** Has a message signed with a stored, unexpired token; the signer refuses `refusals` times with that status. */
  async function sign(refusals: number, status: number) {
    localStorage.setItem(keys.walletToken, walletToken({ exp: Date.now() / 1000 + 600 }));
    const tokens: (string | null)[] = [];
    server.use(
      http.post("*/api/wallet/sign-message", ({ request }) => {
        tokens.push(request.headers.get("Authorization"));
        return tokens.length > refusals ? HttpResponse.json({ signature: "0x1234" }) : problem(status, "The wallet says why.");
      }),
    );
    await page();
    const [{ askSigner }, { api }] = await Promise.all([import("./signer"), import("~/lib/api/client")]);
    return { tokens, signed: askSigner((headers) => api.POST("/api/wallet/sign-message", { headers, body: { message: "Hello" } })) };
  }

  // Spec: WALLET-11
  it("is asked for once more, with a fresh token, when the stored one is not accepted", async () => {
    const { tokens, signed } = await sign(1, 401);
    await expect(signed).resolves.toEqual({ signature: "0x1234" });
    expect([tokens.length, count("token")]).toEqual([2, 1]);
    expect(tokens[1]).toBe(`Bearer ${localStorage.getItem(keys.walletToken)}`);
    expect(tokens[1]).not.toBe(tokens[0]);
  });

  it.each([
    ["a third time when the fresh token is not accepted either", 401, 2],
    ["again when it is refused for another reason", 403, 1],
  ])("is not asked for %s: the player reads why, and stays signed in", async (_, status, times) => {
    const { tokens, signed } = await sign(Number.POSITIVE_INFINITY, status);
    await expect(signed).rejects.toThrow("The wallet says why.");
    expect([tokens.length, count("token")]).toEqual([times, times - 1]);
    expect(localStorage.getItem(keys.token)).not.toBeNull();
  });
});

describe("a lost wallet token", () => {
  // Spec: WALLET-11
  it("is replaced at the next signature, and the wallet stays connected", async () => {
    server.use(
      http.post("*/api/wallet/sign-message", ({ request }) => {
        authorizations.push(request.headers.get("Authorization") ?? "");
        return HttpResponse.json({ signature: "0x1234" });
      }),
    );
    const { connectWallet, wallet } = await page();
    await connectWallet();
    localStorage.removeItem(keys.walletToken);
    const [{ askSigner }, { api }] = await Promise.all([import("./signer"), import("~/lib/api/client")]);
    await expect(
      askSigner((headers) => api.POST("/api/wallet/sign-message", { headers, body: { message: "Hello" } })),
    ).resolves.toBeDefined();
    expect(count("token")).toBe(2);
    expect(authorizations.at(-1)).toBe(`Bearer ${localStorage.getItem(keys.walletToken)}`);
    expect(wallet.get()).toMatchObject({ status: "connected", needsReconnect: false });
    expect(count("connect")).toBe(1);
  });
});

describe("storing the pair", () => {
  // Spec: WALLET-8
  it("says so when the server fails", async () => {
    register = () => problem(500, "Oops.");
    const { connectWallet, wallet } = await page();
    await expect(connectWallet()).rejects.toThrow("Failed to store smart wallet");
    expect(wallet.get()).toMatchObject({ status: "failed", error: "Failed to store smart wallet" });
    expect(localStorage.getItem(keys.walletToken)).not.toBeNull();
  });

  // Spec: WALLET-8
  it("forgets token and address and connects anew when the server refuses the pair", async () => {
    const answers = [() => problem(400, "Not yours."), register];
    const seen: (string | null)[] = [];
    register = () => {
      seen.push(localStorage.getItem(keys.walletToken));
      return (answers.shift() ?? register)();
    };
    const { connectWallet, wallet } = await page();
    await connectWallet();
    expect([count("connect"), count("token")]).toEqual([2, 2]);
    expect(seen[0]).not.toBe(seen[1]);
    expect(wallet.get()).toMatchObject({ status: "connected", needsReconnect: false });
  });

  // Spec: WALLET-8
  it("does not go on for ever when the server keeps refusing", async () => {
    register = () => problem(400, "Not yours.");
    const { connectWallet } = await page();
    await expect(connectWallet()).rejects.toThrow("Failed to store smart wallet");
    expect(count("connect")).toBe(3);
  });
});

describe("another player", () => {
  // Spec: WALLET-9, WALLET-10
  it("gets a connection of their own", async () => {
    const { connectWallet, keepWallet, wallet } = await page();
    await connectWallet();
    const stop = keepWallet();
    current = "00000000000000B2";
    const { signIn } = await import("~/features/session/session");
    await signIn({ token: jwt({ exp: Date.now() / 1000 + 3600, sub: current }) });
    expect(wallet.get()).toMatchObject({ status: "connecting", smartAddress: "" });
    await vi.waitFor(() => expect(wallet.get().status).toBe("connected"));
    expect(asked.filter((a) => a.startsWith("store")).at(-1)).toContain(current);
    expect(count("token")).toBe(2);
    stop();
  });

  // Spec: WALLET-9
  it("without a sign-out between them must reconnect, and finds nothing of the one before", async () => {
    const { connectWallet, keepWallet, wallet, session } = await page();
    await connectWallet();
    const { queryClient } = await import("~/lib/query");
    queryClient.setQueryData(["holdings", "listArks"], "of the one before");
    const stop = keepWallet();
    current = "00000000000000B2";
    session.set({ profile: of(current) });
    expect(wallet.get()).toMatchObject({ status: "connecting", embeddedAddress: "", smartAddress: "", needsReconnect: true });
    expect(queryClient.getQueryData(["holdings", "listArks"])).toBeUndefined();
    await vi.waitFor(() => expect(wallet.get().status).toBe("connected"));
    expect(wallet.get().needsReconnect).toBe(false);
    expect(asked.filter((a) => a.startsWith("store")).at(-1)).toContain(current);
    stop();
  });

  // Spec: WALLET-9
  it("is not signed in with the stored wallet token of the one before, however that one's session ended", async () => {
    localStorage.setItem(keys.walletToken, walletToken({ exp: Date.now() / 1000 + 900 }));
    current = "00000000000000B2";
    localStorage.setItem(keys.token, jwt({ sub: current, exp: Date.now() / 1000 + 3600 }));
    await (await page()).connectWallet();
    expect(count("token")).toBe(1);
    expect(authorizations).toEqual(["Bearer session-secret", `Bearer ${localStorage.getItem(keys.walletToken)}`]);
    expect(claims(localStorage.getItem(keys.walletToken) ?? "")).toMatchObject({ sub: "00000000000000B2" });
  });

  it("does not find the wallet token of the one before, whose answer comes late", async () => {
    const { embeddedToken } = await import("./signer");
    localStorage.setItem(keys.sessionAuthorization, "Bearer of-the-one-before");
    let answer = () => {};
    const arrived = new Promise<void>((isThere) => {
      server.use(
        http.get("*/api/smartWallet/embedded-token", async () => {
          isThere();
          await new Promise<void>((go) => {
            answer = go;
          });
          return HttpResponse.json({ token: "Bearer late" });
        }),
      );
    });
    const token = embeddedToken();
    await arrived;
    localStorage.setItem(keys.sessionAuthorization, "Bearer of-the-next");
    answer();
    await expect(token).resolves.toBe("late");
    expect(localStorage.getItem(keys.walletToken)).toBeNull();
  });
});

describe("the end of a session", () => {
  it("forgets the wallet's addresses and all that was loaded for it, and nothing else", async () => {
    const { connectWallet, disconnectWallet, session, wallet } = await page();
    await connectWallet();
    const { queryClient } = await import("~/lib/query");
    const ofTheWallet = [["holdings", "listArks"], ["market", "listings"], ["cart"], ["wallet", "balance"]];
    for (const key of ofTheWallet) queryClient.setQueryData(key, "of the wallet");
    queryClient.setQueryData(["account", "sessions"], "of the player");
    disconnectWallet();
    for (const key of ofTheWallet) expect(queryClient.getQueryData(key)).toBeUndefined();
    expect(queryClient.getQueryData(["account", "sessions"])).toBe("of the player");
    expect(wallet.get()).toEqual(wallet.initial);
    expect(localStorage.getItem(keys.walletToken)).not.toBeNull(); // it belongs to the session: see "logout"
    expect(session.get().profile).not.toBeNull();
    expect(localStorage.getItem(keys.walletAddress)).toBe(smart); // registered, according to the profile
  });
});

describe("the account", () => {
  it("has the owner in the upper 160 bits of its salt and its index in the lower 96", async () => {
    const { accountSalt } = await import("./smart-wallet");
    expect(accountSalt(owner)).toBe(`${owner}${"0".repeat(24)}`);
    expect(accountSalt(owner, 258)).toBe(`${owner}${"0".repeat(21)}102`);
  });

  const connect = async (...[chain]: Partial<Parameters<typeof connectSmartWallet>>) =>
    (await import("./smart-wallet")).connectSmartWallet(chain, owner);

  // Spec: WALLET-15
  it("is not connected without a chain", async () => {
    await expect(connect()).rejects.toMatchObject({
      name: "ChainMissing",
      message: expect.stringMatching(
        /^A chain must be provided either via 'chain' in connect options or 'defaultChainId' in ecosystem configuration\./,
      ),
    });
    expect(asked).toEqual([]);
  });

  // Spec: WALLET-15
  it("is not connected to an EntryPoint that is not of version 0.7", async () => {
    const entryPoint = "0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789"; // version 0.6
    await expect(connect({ ...config.gameChain, entryPoint })).rejects.toMatchObject({
      name: "UnknownPaymasterVersion",
      message: "Unknown paymaster version",
    });
    expect(asked).toEqual([]);
  });

  // Spec: WALLET-15
  it("does not switch to a chain on which its factory is not deployed", async () => {
    server.use(
      http.post("*/api/proxy/rpc/1337137", async ({ request }) => {
        const calls = (await request.json()) as { id: number }[];
        return HttpResponse.json(calls.map(({ id }) => ({ jsonrpc: "2.0", id, result: "0x" })));
      }),
    );
    const { activeWallet } = await page();
    await expect(activeWallet("gameChain")).resolves.toMatchObject({ address: smart });
    await expect(activeWallet("mainChain")).rejects.toMatchObject({
      name: "FactoryNotDeployed",
      message: "Factory contract not deployed on chain: 1337137",
    });
    await expect(activeWallet("gameChain")).resolves.toMatchObject({ address: smart });
  });
});
