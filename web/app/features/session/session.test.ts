import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { keys } from "~/lib/storage";
import { delayed } from "../../../test/delayed";
import { jwt, profile } from "../../../test/make";
import { HttpResponse, http, problem, server } from "../../../test/server";

const second = 1_000;
const token = (seconds = 3600) => jwt({ sub: "00000000000000A1", exp: Math.floor(Date.now() / 1000) + seconds });

const profileCalls = { count: 0 };
/** Answers for the profile, from a server whose clock is ahead of the browser's by `ahead` milliseconds. */
function answerProfile(ahead = 0) {
  profileCalls.count = 0;
  server.use(
    http.get("*/api/auth/profile", () => {
      profileCalls.count++;
      return HttpResponse.json(profile(), { headers: { Date: new Date(Date.now() + ahead).toUTCString() } });
    }),
    http.get("*/api/auth/logout", () => HttpResponse.json({ success: true })),
  );
}

/** The session module, loaded as on a new page. */
async function fresh() {
  vi.resetModules();
  const [sessionModule, { session }] = await Promise.all([import("./session"), import("./store")]);
  return { sessionModule, session };
}

beforeEach(() => vi.useFakeTimers({ shouldAdvanceTime: true }));
afterEach(() => vi.useRealTimers());

describe("a page that is loaded", () => {
  // Spec: SESSION-1, SESSION-2, SESSION-10, ACCOUNT-7
  it("profile fetch: success sets the profile and isAuthenticated, and loading ends", async () => {
    answerProfile();
    localStorage.setItem(keys.token, token());
    const { sessionModule, session } = await fresh();
    expect(session.get()).toMatchObject({ isLoading: true, isAuthenticated: false });
    await sessionModule.start(null);
    expect(session.get()).toMatchObject({ isLoading: false, isAuthenticated: true, profile: { holderKey: "00a1" } });
    expect(localStorage.getItem(keys.embeddedEnabled)).toBe("false");
  });

  // Spec: SESSION-1
  it("goes from unauthenticated by the login to authenticated, and by logout back to unauthenticated", async () => {
    answerProfile();
    server.use(
      http.post("*/api/auth/login", () => HttpResponse.json({ success: true, token: token(), sessionAuthorization: "Bearer secret" })),
    );
    const { sessionModule, session } = await fresh();
    await sessionModule.start(null);
    expect(session.get()).toMatchObject({ isLoading: false, isAuthenticated: false, profile: null });
    const { login } = await import("./auth");
    await login({ email: "ianthe@example.com", password: "secret1" });
    expect(session.get()).toMatchObject({ isLoading: false, isAuthenticated: true, profile: { holderKey: "00a1" } });
    await sessionModule.logout();
    expect(session.get()).toMatchObject({ isLoading: false, isAuthenticated: false, profile: null });
  });

  // Spec: SESSION-1, SESSION-3
  it("without a stored token the profile is null and the user stays unauthenticated", async () => {
    const { sessionModule, session } = await fresh();
    await sessionModule.start(null);
    expect(session.get()).toEqual({ isLoading: false, isAuthenticated: false, profile: null, problem: "", signedOutElsewhere: false });
  });

  it("keeps a token that has expired by this browser's clock alone", async () => {
    answerProfile(-5 * 3600 * second);
    localStorage.setItem(keys.token, token(-4 * 3600));
    const { sessionModule, session } = await fresh();
    await sessionModule.start(null);
    await vi.advanceTimersByTimeAsync(10 * second);
    expect(session.get()).toMatchObject({ isLoading: false, isAuthenticated: true });
  });

  // Spec: SESSION-4, SESSION-15
  it("ends when the token has expired by the server's clock, however this browser's goes", async () => {
    answerProfile(3600 * second);
    localStorage.setItem(keys.token, token(3600 + 3));
    const { sessionModule, session } = await fresh();
    await sessionModule.start(null);
    expect(session.get()).toMatchObject({ isAuthenticated: true });
    await vi.advanceTimersByTimeAsync(10 * second);
    expect(session.get()).toMatchObject({ isAuthenticated: false });
    expect(localStorage.getItem(keys.token)).toBeNull();
  });

  // Spec: SESSION-18
  it("forgets a token the server refuses, and notes that until somebody signs in", async () => {
    localStorage.setItem(keys.token, token());
    server.use(http.get("*/api/auth/profile", () => problem(401, "Please sign in.")));
    const { sessionModule, session } = await fresh();
    await sessionModule.start(null);
    expect(session.get()).toMatchObject({ isLoading: false, isAuthenticated: false });
    expect(localStorage.getItem(keys.token)).toBeNull();
    expect(localStorage.getItem(keys.ended)).toBe("true");
    answerProfile();
    await sessionModule.signIn({ token: token() });
    expect(session.get().isAuthenticated).toBe(true);
    expect(localStorage.getItem(keys.ended)).toBeNull();
  });

  it("with a token that the server refuses ends there too, by the session authorization", async () => {
    localStorage.setItem(keys.token, "malformed");
    localStorage.setItem(keys.sessionAuthorization, "of the session");
    const authorization = vi.fn();
    server.use(
      http.get("*/api/auth/profile", () => problem(401, "Please sign in.")),
      http.get("*/api/auth/logout", ({ request }) => {
        authorization(request.headers.get("Authorization"));
        return HttpResponse.json({ success: true });
      }),
    );
    const { sessionModule } = await fresh();
    await sessionModule.start(null);
    await vi.waitFor(() => expect(authorization).toHaveBeenCalledExactlyOnceWith("of the session"));
    expect(localStorage.getItem(keys.sessionAuthorization)).toBeNull();
    expect(localStorage.getItem(keys.ended)).toBe("true");
  });

  // Spec: UI-12, SESSION-2, API-2
  it("profile fetch: a failure ends loading, is reported once and said, keeps the token, and is repeated until it succeeds", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    localStorage.setItem(keys.token, token());
    server.use(http.get("*/api/auth/profile", () => problem(503, "Away.")));
    const { sessionModule, session } = await fresh();
    await sessionModule.start(null);
    expect(session.get()).toMatchObject({ isLoading: false, isAuthenticated: false, problem: "Away." });
    expect(localStorage.getItem(keys.token)).not.toBeNull();
    await sessionModule.retry();
    expect(warn).toHaveBeenCalledExactlyOnceWith("session: not known who is signed in", "Away.");
    answerProfile();
    await vi.advanceTimersByTimeAsync(5 * second);
    await vi.waitFor(() => expect(session.get()).toMatchObject({ isAuthenticated: true, problem: "" }));
  });
});

it("who is signed in is asked for every 5 s while the server is away", async () => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  const asked: number[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => {
    asked.push(Date.now());
    return problem(503, "Away.");
  });
  localStorage.setItem(keys.token, token());
  const { sessionModule } = await fresh();
  await sessionModule.start(null);
  await vi.advanceTimersByTimeAsync(11 * second);
  const [, first = 0, next = 0] = asked;
  expect(Math.round((next - first) / second)).toBe(5); // the clock goes on meanwhile
});

describe("a token login", () => {
  const replaced = vi.fn();
  beforeEach(() => {
    replaced.mockClear();
    vi.stubGlobal("location", {
      ...location,
      replace: replaced,
      pathname: "/king-of-destiny",
      search: "?utm_source=game",
      origin: location.origin,
    });
  });
  afterEach(() => vi.unstubAllGlobals());

  const answer = (body: () => Response) => {
    const sent = vi.fn();
    server.use(
      http.post("*/api/proxy/auth/token/login", async ({ request }) => {
        sent(await request.json());
        return body();
      }),
    );
    return sent;
  };

  // Spec: SESSION-9
  it("signs in by the context, tells where the visitor comes from, and can use the wallet", async () => {
    answerProfile();
    localStorage.setItem(keys.marketing, JSON.stringify({ utm_source: "game" }));
    const sent = answer(() => HttpResponse.json({ success: true, token: token(), sessionAuthorization: "Bearer secret" }));
    const { sessionModule, session } = await fresh();
    await sessionModule.start("once");
    expect(sent).toHaveBeenCalledWith({ context: "once", utmParams: { utm_source: "game" } });
    expect(session.get().isAuthenticated).toBe(true);
    expect(localStorage.getItem(keys.sessionAuthorization)).toBe("Bearer secret");
    expect(replaced).not.toHaveBeenCalled();
  });

  // Spec: SESSION-9
  it.each([
    ["has run out or was used", () => problem(401, "Used.")],
    ["is not taken on this site", () => problem(409, "Not set up.")],
    ["says nothing", () => problem(400, "No.")],
    ["is not successful", () => HttpResponse.json({ success: false, token: "" })],
  ])("a failed token login (its context %s) sends the user to login, which says why and knows the way back", async (_, body) => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    answer(body);
    const { sessionModule, session } = await fresh();
    await sessionModule.start("once");
    expect(replaced).toHaveBeenCalledExactlyOnceWith("/login?from=%2Fking-of-destiny%3Futm_source%3Dgame&failed=link");
    expect(session.get().isAuthenticated).toBe(false);
    expect(warn).toHaveBeenCalledExactlyOnceWith("session: the token login failed", expect.anything());
  });

  it("of a frozen account sends the user to login, which says why", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    answer(() => problem(403, "This account is frozen: a chargeback.", { reason: "frozen" }));
    const { sessionModule } = await fresh();
    await sessionModule.start("once");
    expect(replaced).toHaveBeenCalledOnce();
    expect(sessionStorage.getItem(keys.frozen)).toBe("This account is frozen: a chargeback.");
  });

  // Spec: SESSION-9
  it.each([
    ["does not answer", () => HttpResponse.error()],
    ["is in trouble", () => problem(503, "Away.")],
    ["has no time", () => problem(429, "Later.")],
  ])("is tried again while the server %s, for its context works once", async (_, body) => {
    answer(body);
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const { sessionModule, session } = await fresh();
    await sessionModule.start("once");
    expect(session.get()).toMatchObject({ isLoading: false, isAuthenticated: false, problem: expect.stringMatching(/./) });
    expect(warn).toHaveBeenCalledExactlyOnceWith("session: not known who is signed in", expect.anything());
    expect(replaced).not.toHaveBeenCalled();
    answerProfile();
    const sent = answer(() => HttpResponse.json({ success: true, token: token() }));
    await sessionModule.retry();
    expect(sent).toHaveBeenCalledWith({ context: "once", utmParams: {} });
    expect(session.get()).toMatchObject({ isAuthenticated: true, problem: "" });
  });

  it("sends its context once while the server is slow to respond", async () => {
    answer(() => problem(503, "Away."));
    vi.spyOn(console, "warn").mockImplementation(() => {});
    const { sessionModule, session } = await fresh();
    await sessionModule.start("once");
    answerProfile();
    let answerIt = () => {};
    const thought = new Promise<void>((resolve) => {
      answerIt = resolve;
    });
    const sent = vi.fn();
    server.use(
      http.post("*/api/proxy/auth/token/login", async () => {
        sent();
        await thought;
        return HttpResponse.json({ success: true, token: token() });
      }),
    );
    const tries = [sessionModule.retry(), sessionModule.retry()];
    await vi.advanceTimersByTimeAsync(12 * second);
    answerIt();
    await Promise.all(tries);
    expect(session.get()).toMatchObject({ isAuthenticated: true, problem: "" });
    expect(sent).toHaveBeenCalledOnce();
  });

  it("is given up when the player has signed in by another way", async () => {
    const sent = answer(() => problem(503, "Away."));
    vi.spyOn(console, "warn").mockImplementation(() => {});
    const { sessionModule } = await fresh();
    await sessionModule.start("once");
    answerProfile();
    await sessionModule.signIn({ token: token() });
    await sessionModule.retry();
    expect(sent).toHaveBeenCalledOnce();
    expect(profileCalls.count).toBe(2);
  });

  // Spec: SESSION-19
  it.each([
    ["the same player's", "00000000000000A1", false],
    ["another player's", "00000000000000B2", true],
  ])("leaves whoever is signed in; %s", async (_, sub, told) => {
    answerProfile();
    localStorage.setItem(keys.token, token());
    const sent = answer(() => HttpResponse.json({ success: true, token: token() }));
    const notified = vi.fn();
    vi.doMock("~/components/ui/toasts", () => ({ notifyAnywhere: notified }));
    const { sessionModule, session } = await fresh();
    const before = localStorage.getItem(keys.token);
    await sessionModule.start(jwt({ sub }));
    await sessionModule.start(`${sub}-TICKET`);
    expect(session.get().isAuthenticated).toBe(true);
    expect(localStorage.getItem(keys.token)).toBe(before);
    expect(sent).not.toHaveBeenCalled();
    expect(notified).toHaveBeenCalledTimes(told ? 2 : 0);
    expect(replaced).not.toHaveBeenCalled();
    vi.doUnmock("~/components/ui/toasts");
  });

  // Spec: SESSION-19
  it("signs in where the session that was stored has ended", async () => {
    answerProfile();
    const ended = token(100);
    localStorage.setItem(keys.token, ended);
    server.use(
      http.get("*/api/auth/profile", ({ request }) =>
        request.headers.get("Authorization") === ended ? problem(401, "Please sign in to continue.") : HttpResponse.json(profile()),
      ),
    );
    localStorage.setItem(keys.marketing, JSON.stringify({ utm_source: "game" }));
    const { sessionModule, session } = await fresh();
    const sent = answer(() => {
      expect(session.get()).toMatchObject({ isLoading: true, isAuthenticated: false }); // so that there is no redirect to the login yet
      return HttpResponse.json({ success: true, token: token() });
    });
    await sessionModule.start("once");
    expect(sent).toHaveBeenCalledExactlyOnceWith({ context: "once", utmParams: { utm_source: "game" } });
    expect(session.get().isAuthenticated).toBe(true);
  });

  // Spec: SESSION-19
  it("waits while it is not known whether somebody is signed in", async () => {
    localStorage.setItem(keys.token, token());
    server.use(http.get("*/api/auth/profile", () => problem(503, "Away.")));
    const sent = answer(() => HttpResponse.json({ success: true, token: token() }));
    const { sessionModule, session } = await fresh();
    await sessionModule.start(jwt({ sub: "00000000000000A1" }));
    expect(session.get()).toMatchObject({ isAuthenticated: false, problem: expect.stringMatching(/./) });
    answerProfile();
    await sessionModule.retry();
    expect(session.get()).toMatchObject({ isAuthenticated: true, problem: "" });
    expect(sent).not.toHaveBeenCalled();
  });

  it("works without where the visitor comes from, if that is not to be read", async () => {
    answerProfile();
    localStorage.setItem(keys.marketing, "{");
    const sent = answer(() => HttpResponse.json({ success: true, token: token() }));
    const { sessionModule } = await fresh();
    await sessionModule.start("once");
    expect(sent).toHaveBeenCalledWith({ context: "once", utmParams: {} });
  });
});

describe("a session", () => {
  it("knows the newest profile, whichever answer comes last", async () => {
    const named = (DisplayName: string) => ({ ...profile(), AccountInfo: { ...profile().AccountInfo, TitleInfo: { DisplayName } } });
    let name = "Ianthe";
    const rename = () => {
      name = "Iole";
      return HttpResponse.json(named(name));
    };
    const calls = delayed(() => HttpResponse.json(named(name)));
    server.use(http.get("*/api/auth/profile", calls.resolver), http.patch("*/api/auth/profile", rename));
    localStorage.setItem(keys.token, token());
    const { sessionModule, session } = await fresh();
    const shown = () => session.get().profile?.AccountInfo.TitleInfo.DisplayName;
    const { api, unwrap } = await import("~/lib/api/client");

    const beforeTheChange = sessionModule.loadProfile();
    await calls.arrived();
    await sessionModule.knowBy(unwrap(api.PATCH("/api/auth/profile", { body: { displayName: "Iole" } })));
    calls.letGo(1, false);
    await beforeTheChange;
    expect(shown()).toBe("Iole");

    const older = sessionModule.loadProfile();
    await calls.arrived(2);
    name = "Kleon";
    const newer = sessionModule.loadProfile();
    await calls.arrived(3);
    calls.letGo(3, false);
    await newer;
    calls.letGo(2);
    await older;
    expect(shown()).toBe("Kleon");
  });

  /** The credentials with which the server was asked to end a session. */
  function endings(): (string | null)[] {
    const seen: (string | null)[] = [];
    server.use(
      http.get("*/api/auth/logout", ({ request }) => {
        seen.push(request.headers.get("Authorization"));
        return HttpResponse.json({ success: true });
      }),
    );
    return seen;
  }

  // Spec: SESSION-17
  it.each([
    ["is gone", () => localStorage.removeItem(keys.token)],
    ["has expired", () => localStorage.setItem(keys.token, token(-1))],
  ])("that is over because its token %s ends on the server too, by the session authorization", async (_, lose) => {
    const { session } = await running();
    const ended = endings();
    lose();
    await vi.advanceTimersByTimeAsync(5 * second);
    expect(session.get().isAuthenticated).toBe(false);
    await vi.waitFor(() => expect(ended).toEqual(["Bearer secret"]));
  });

  // Spec: SESSION-17
  it("whose token was lost while no page was open ends when one is opened", async () => {
    localStorage.setItem(keys.sessionAuthorization, "Bearer secret");
    const ended = endings();
    const { sessionModule, session } = await fresh();
    await sessionModule.start(null);
    expect(session.get()).toMatchObject({ isLoading: false, isAuthenticated: false });
    expect(localStorage.getItem(keys.sessionAuthorization)).toBeNull();
    await vi.waitFor(() => expect(ended).toEqual(["Bearer secret"]));
  });

  // Spec: SESSION-20
  it("is that of the tab where storage is full: the player is signed in, told so once, and has a wallet", async () => {
    answerProfile();
    const notified = vi.fn();
    vi.doMock("~/components/ui/toasts", () => ({ notifyAnywhere: notified }));
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
    });
    server.use(
      http.get("*/api/smartWallet/embedded-token", ({ request }) =>
        HttpResponse.json({ token: request.headers.get("Authorization") ?? "" }),
      ),
    );
    const { sessionModule, session } = await fresh();
    for (let i = 0; i < 2; i++) {
      await sessionModule.signIn({ token: token(), sessionAuthorization: "Bearer secret" });
      expect(session.get().isAuthenticated).toBe(true);
    }
    await expect((await import("~/features/wallet/signer")).embeddedToken()).resolves.toBe("secret");
    await vi.advanceTimersByTimeAsync(10 * second);
    expect(session.get().isAuthenticated).toBe(true);
    await vi.waitFor(() =>
      expect(notified).toHaveBeenCalledExactlyOnceWith("blank", "You are signed in in this tab only", expect.anything()),
    );
    vi.doUnmock("~/components/ui/toasts");
  });

  it("leaves nothing of whoever was signed in before, when another player signs in: no wallet token, no order, no session", async () => {
    answerProfile();
    const old = token(100);
    localStorage.setItem(keys.token, old);
    localStorage.setItem(keys.sessionAuthorization, "Bearer old");
    localStorage.setItem(keys.walletToken, "another's");
    localStorage.setItem(keys.walletAddress, "another's");
    localStorage.setItem(keys.order, "another's");
    const ended = vi.fn();
    server.use(
      http.get("*/api/auth/logout", ({ request }) => {
        ended(request.headers.get("Authorization"));
        return HttpResponse.json({ success: true });
      }),
    );
    const { sessionModule, session } = await fresh();
    const forgotten = vi.fn();
    sessionModule.onSessionEnd(forgotten);
    await sessionModule.signIn({ token: token(), sessionAuthorization: "Bearer new" });
    expect(session.get()).toMatchObject({ isAuthenticated: true, isLoading: false });
    expect(localStorage.getItem(keys.sessionAuthorization)).toBe("Bearer new");
    for (const key of [keys.walletToken, keys.walletAddress, keys.order]) expect(localStorage.getItem(key)).toBeNull();
    expect(forgotten).toHaveBeenCalledOnce();
    await vi.waitFor(() => expect(ended).toHaveBeenCalledExactlyOnceWith(old));
  });

  async function running(seconds = 100) {
    answerProfile();
    localStorage.setItem(keys.token, token(seconds));
    localStorage.setItem(keys.sessionAuthorization, "Bearer secret");
    localStorage.setItem(keys.walletToken, "wallet");
    localStorage.setItem(keys.walletAddress, "0x1");
    localStorage.setItem(keys.marketing, "{}");
    localStorage.setItem(keys.viewed, "[]");
    const all = await fresh();
    await all.sessionModule.start(null);
    return all;
  }

  // Spec: SESSION-4
  it("logout is forced when the stored token's expiry has passed, checked every 5 s", async () => {
    const { sessionModule, session } = await running();
    const forgotten = vi.fn();
    sessionModule.onSessionEnd(forgotten);
    await vi.advanceTimersByTimeAsync(95 * second);
    expect(session.get().isAuthenticated).toBe(true);
    await vi.advanceTimersByTimeAsync(10 * second);
    expect(session.get()).toMatchObject({ isAuthenticated: false, profile: null });
    expect(forgotten).toHaveBeenCalledOnce();
    expect(localStorage.getItem(keys.token)).toBeNull();
  });

  // Spec: SESSION-5, SESSION-10
  it("logout clears the auth state, and removes the stored tokens and marketing parameters", async () => {
    const { sessionModule, session } = await running();
    const forgotten = vi.fn();
    sessionModule.onSessionEnd(forgotten);
    const told = sessionModule.logout();
    // At once.
    expect(session.get()).toEqual({ isAuthenticated: false, isLoading: false, profile: null, problem: "", signedOutElsewhere: false });
    expect(forgotten).toHaveBeenCalledOnce();
    for (const key of [keys.token, keys.sessionAuthorization, keys.walletToken, keys.walletAddress, keys.marketing, keys.viewed])
      expect(localStorage.getItem(key)).toBeNull();
    await told;
  });

  // Spec: SESSION-12
  it("names the player's wallet in every call until the logout, from the first of a page loaded again; nobody's is empty", async () => {
    const wallets: [string, string | null][] = [];
    answerProfile();
    server.use(
      http.get("*/api/auth/profile", () => HttpResponse.json(profile({ smartWalletAddress: "0x1" }))),
      http.post("*/api/auth/login", () => HttpResponse.json({ success: true, token: token() })),
      http.get("*/api/:call", () => HttpResponse.json({})),
    );
    server.events.on("request:start", ({ request }) => {
      wallets.push([new URL(request.url).pathname, request.headers.get("x-wallet-address")]);
    });
    const first = await fresh();
    await (await import("./auth")).login({ email: "ianthe@example.com", password: "secret1" });
    await (await import("~/lib/api/json")).json("/api/signed-in");
    const { sessionModule } = await fresh();
    await (await import("~/lib/api/json")).json("/api/loaded-again");
    await sessionModule.start(null);
    await sessionModule.logout();
    await (await import("~/lib/api/json")).json("/api/signed-out");
    server.events.removeAllListeners();
    first.session.set({ isAuthenticated: false, profile: null }); // that page is gone
    expect(wallets).toEqual([
      ["/api/auth/login", ""],
      ["/api/auth/profile", ""],
      ["/api/signed-in", "0x1"],
      ["/api/loaded-again", "0x1"],
      ["/api/auth/profile", "0x1"],
      ["/api/auth/logout", "0x1"],
      ["/api/signed-out", ""],
    ]);
  });

  // Spec: SESSION-4
  it("logout is forced when the stored token is missing, checked every 5 s", async () => {
    const { session } = await running();
    localStorage.removeItem(keys.token);
    await vi.advanceTimersByTimeAsync(4.9 * second);
    expect(session.get().isAuthenticated).toBe(true);
    await vi.advanceTimersByTimeAsync(0.1 * second);
    expect(session.get().isAuthenticated).toBe(false);
  });

  // Spec: SESSION-16
  it.each([
    ["signs out", keys.token, () => localStorage.removeItem(keys.token)],
    ["removes everything, as after a deletion", null, () => localStorage.clear()],
  ])("ends when another tab %s, and touches nothing that tab has stored", async (_, key, remove) => {
    const { sessionModule, session } = await running();
    const forgotten = vi.fn();
    sessionModule.onSessionEnd(forgotten);
    remove();
    localStorage.setItem(keys.order, "of that tab");
    dispatchEvent(new StorageEvent("storage", { key, newValue: null }));
    expect(session.get()).toMatchObject({ isAuthenticated: false, profile: null });
    expect(forgotten).toHaveBeenCalledOnce();
    expect(localStorage.getItem(keys.order)).toBe("of that tab");
  });

  it.each([
    ["signed out in another tab, and says so", () => token(), null, true],
    ["over", () => token(-60), null, false],
    ["ended by the server", () => token(), "true", false],
  ])("knows when it was %s", async (_, before, ended, elsewhere) => {
    const { session } = await running();
    const oldValue = before();
    localStorage.removeItem(keys.token);
    if (ended) localStorage.setItem(keys.ended, ended);
    dispatchEvent(new StorageEvent("storage", { key: keys.token, oldValue, newValue: null }));
    expect(session.get()).toMatchObject({ isAuthenticated: false, signedOutElsewhere: elsewhere });
  });

  // Spec: SESSION-16
  it("becomes that of whoever signs in in another tab, without a moment of both", async () => {
    const { sessionModule, session } = await running();
    const forgotten = vi.fn();
    sessionModule.onSessionEnd(forgotten);
    server.use(http.get("*/api/auth/profile", () => HttpResponse.json(profile({ holderKey: "00b2" }))));
    localStorage.setItem(keys.token, token());
    dispatchEvent(new StorageEvent("storage", { key: keys.token, newValue: "new" }));
    expect(session.get()).toMatchObject({ isAuthenticated: false, isLoading: true, profile: null });
    expect(forgotten).toHaveBeenCalledOnce();
    await vi.waitFor(() => expect(session.get()).toMatchObject({ isAuthenticated: true, profile: { holderKey: "00b2" } }));
  });

  // Spec: SESSION-5
  it("does not come back when its profile arrives after it has ended", async () => {
    const { sessionModule, session } = await running();
    let answer = () => {};
    server.use(
      http.get("*/api/auth/profile", async () => {
        await new Promise<void>((resolve) => (answer = resolve));
        return HttpResponse.json(profile());
      }),
    );
    const loading = sessionModule.loadProfile();
    await sessionModule.logout();
    answer();
    await loading;
    expect(session.get()).toMatchObject({ isAuthenticated: false, profile: null });
  });

  it("ends with everything this browser has kept when the account is deleted", async () => {
    const { sessionModule, session } = await running();
    localStorage.setItem(keys.marketplaceTheme, "true");
    sessionModule.forgetEverything();
    expect(session.get()).toMatchObject({ isAuthenticated: false, profile: null });
    expect(localStorage).toHaveLength(0);
  });

  // Spec: SESSION-8
  it("refreshes the profile and what registered for it every 60 s", async () => {
    const { sessionModule } = await running(3600);
    const loads: number[] = [];
    const stop = sessionModule.onRefresh(() => loads.push(Date.now()));
    expect(profileCalls.count).toBe(1);
    await vi.advanceTimersByTimeAsync(60 * second);
    await vi.waitFor(() => expect(profileCalls.count).toBe(2));
    await vi.advanceTimersByTimeAsync(60 * second);
    const [first = 0, next] = loads;
    expect(next).toBe(first + 60 * second);
    stop();
  });

  // Spec: SESSION-2
  it("goes on while the server is away, which is reported once", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const { session } = await running(3600);
    server.use(http.get("*/api/auth/profile", () => problem(503, "Away.")));
    await vi.advanceTimersByTimeAsync(60 * second);
    expect(session.get()).toMatchObject({ isAuthenticated: true, problem: "" });
    await vi.advanceTimersByTimeAsync(60 * second);
    await vi.waitFor(() => expect(warn).toHaveBeenCalledExactlyOnceWith("session: not known who is signed in", "Away."));
    answerProfile();
    await vi.advanceTimersByTimeAsync(60 * second);
    await vi.waitFor(() => expect(profileCalls.count).toBe(1));
    server.use(http.get("*/api/auth/profile", () => problem(503, "Away again.")));
    await vi.advanceTimersByTimeAsync(60 * second);
    await vi.waitFor(() => expect(warn).toHaveBeenLastCalledWith("session: not known who is signed in", "Away again."));
  });

  // Spec: SESSION-5, ACCOUNT-6
  it("logout calls the server logout, with the token that ends", async () => {
    const { sessionModule, session } = await running();
    const authorization = vi.fn();
    const old = localStorage.getItem(keys.token);
    server.use(
      http.get("*/api/auth/logout", ({ request }) => {
        authorization(request.headers.get("Authorization"), request.credentials);
        return HttpResponse.json({ success: true });
      }),
    );
    expect(await sessionModule.logout()).toBe(true);
    expect(authorization).toHaveBeenCalledWith(old, "include");
    expect(session.get().isAuthenticated).toBe(false);
  });

  // Spec: SESSION-5, SESSION-6
  it.each([
    ["is not there", () => HttpResponse.error(), false],
    ["cannot", () => problem(503, "Away."), false],
    ["knows of no such session any more", () => problem(401, "Please sign in."), true],
  ])("ends here even if the server %s; a failure is reported as such", async (_, answer, known) => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const { sessionModule, session } = await running();
    server.use(http.get("*/api/auth/logout", answer));
    expect(await sessionModule.logout()).toBe(known);
    expect(session.get().isAuthenticated).toBe(false);
    if (known) expect(warn).not.toHaveBeenCalled();
    else expect(warn).toHaveBeenCalledWith("Failed to logout", expect.anything());
  });
});
