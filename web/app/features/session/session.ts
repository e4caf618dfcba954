import { api, context as apiContext, unwrap } from "~/lib/api/client";
import { callerHeaders } from "~/lib/api/context";
import { json } from "~/lib/api/json";
import { ApiError, messageOf } from "~/lib/api/problem";
import { serverNow } from "~/lib/clock";
import { claims, expired } from "~/lib/jwt";
import { paths } from "~/lib/paths";
import { report } from "~/lib/report";
import { keys, read, write } from "~/lib/storage";
import { clearAll, keepForTab, outlivesTab, takeFromTab } from "~/lib/tab-storage";
import { type Profile, session } from "./store";

/** How often the stored token is checked, in milliseconds. */
export const tokenCheckEvery = 5_000;
/** How often a signed-in player's data is refetched, in milliseconds. */
export const refreshEvery = 60_000;
/** How often the session is retried while the server is unavailable, in milliseconds. */
export const retryEvery = 5_000;

const endings = new Set<() => void>();
const refreshes = new Set<() => void>();
let running = false;
/** A token login that could not be sent to the server yet: its one-time context and marketing parameters. */
let waiting: { context: string; utmParams: Record<string, string> } | null = null;
/** The attempt in progress: a one-time context must not be sent twice. */
let trying: Promise<void> | null = null;
/** Whether the current outage has been reported. */
let told = false;
/** Counts the requests for the profile and the responses to changes of it. */
let turn = 0;
/** The turn of the known profile; a response to a request with a lower one is out of date. */
let known = 0;

/** Registers a callback that clears data when the session ends. Returns a function that unregisters it. */
export function onSessionEnd(forget: () => void): () => void {
  endings.add(forget);
  return () => endings.delete(forget);
}

/** Registers a load that is repeated every 60 s while a player is signed in. Returns a function that unregisters it. */
export function onRefresh(load: () => void): () => void {
  refreshes.add(load);
  return () => refreshes.delete(load);
}

/**
 * Records that the server could not tell who is signed in. A known player stays known. Only the first failure is
 * reported.
 */
function unanswered(error: unknown): void {
  if (error instanceof ApiError && error.status === 401) return; // not an outage: see onUnauthorized
  if (!told) report("session: not known who is signed in", error);
  told = true;
  session.set({ isLoading: false, problem: session.get().isAuthenticated ? "" : messageOf(error) });
}

/** Stores a profile of the signed-in player, unless a newer one is known, and its wallet for the header of all calls. */
function know(profile: Profile, at: number): void {
  if (at < known) return;
  known = at;
  if (profile.smartWalletAddress) write(keys.walletAddress, profile.smartWalletAddress);
  waiting = null;
  told = false;
  takeFromTab(keys.frozen);
  write(keys.ended, null);
  write(keys.embeddedEnabled, String(profile.enableEmbeddedInCorpSite));
  session.set({ profile, isAuthenticated: true, isLoading: false, problem: "", signedOutElsewhere: false });
}

/** Takes the profile from the response to a call that changes it. Throws what the call throws. */
export async function knowBy(change: Promise<Profile>): Promise<void> {
  const token = read(keys.token);
  const profile = await change;
  if (read(keys.token) === token) know(profile, ++turn); // otherwise that player has signed out in the meantime
}

async function fetchProfile(): Promise<void> {
  const token = read(keys.token);
  const asked = ++turn;
  const profile = await unwrap(api.GET("/api/auth/profile"));
  if (read(keys.token) === token) know(profile, asked);
}

/** Loads the profile of the stored token's player. Without a token, or with a refused one, nobody is signed in. */
export async function loadProfile(): Promise<void> {
  if (!read(keys.token)) {
    if (read(keys.sessionAuthorization)) void logout(); // the token is lost, but the server's session is not over
    session.set({ isLoading: false, problem: "" });
    return;
  }
  try {
    await fetchProfile();
  } catch (error) {
    unanswered(error); // an unavailable server does not end the session
  }
}

/** Ends the session on this page: the signed-in player, and all data loaded for them. */
function end(): void {
  session.set({ isAuthenticated: false, isLoading: false, profile: null, problem: "" });
  for (const forgetOwn of endings) forgetOwn();
}

/** The keys of what is stored of a session. */
const ofSession = [keys.token, keys.sessionAuthorization, keys.walletToken, keys.walletAddress, keys.marketing, keys.order, keys.viewed];

/** Deletes the session in this browser. */
function forget(): void {
  for (const key of ofSession) write(key, null);
  end();
}

/** Deletes a session whose token the server refuses, and stores that this is why. Other tabs read that when they follow. */
function handleUnauthorized(): void {
  write(keys.token, null); // logout falls back to the session authorization
  void logout();
  write(keys.ended, "true");
}

/** Deletes the session and everything that this site stores in the browser: for a player whose account is deleted. */
export function forgetEverything(): void {
  clearAll();
  end();
}

/** The credential that still ends the session on the server: the token, or without a valid one the session authorization. */
function endingCredential(): string | null {
  const token = read(keys.token);
  return token && !expired(token, serverNow()) ? token : (read(keys.sessionAuthorization) ?? token);
}

/**
 * Signs out: here at once, and on the server if it is reachable. Returns whether the server has ended the session; if
 * not, it ends there at its expiry.
 */
export async function logout(): Promise<boolean> {
  const credential = endingCredential();
  const caller = callerHeaders();
  write(keys.ended, null);
  forget();
  if (!credential) return true;
  try {
    await unwrap(api.GET("/api/auth/logout", { credentials: "include", headers: { ...caller, Authorization: credential } }));
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return true; // already ended there
    report("Failed to logout", error);
    return false;
  }
}

/**
 * Follows another tab's change of the stored token, which was `before`. Only that tab changes what is stored. A session
 * that was over, or that the server ended, was not signed out on purpose.
 */
async function followOtherTab(before: string | null): Promise<void> {
  const token = read(keys.token);
  if (!token && !session.get().isAuthenticated) return;
  end();
  if (!token) {
    session.set({ signedOutElsewhere: before !== null && read(keys.ended) === null && !expired(before, serverNow()) });
    return;
  }
  session.set({ isLoading: true });
  await loadProfile();
}

/**
 * Signs in with the response to a login or a registration; throws if it does not contain a session. The previous
 * player is signed out: none of their data, such as the wallet token, may be used for another player.
 */
export async function signIn(answer: { token: string; sessionAuthorization?: string | undefined }): Promise<void> {
  if (read(keys.token) || read(keys.sessionAuthorization)) {
    void logout();
    session.set({ isLoading: true });
  }
  write(keys.walletAddress, null);
  write(keys.token, answer.token);
  write(keys.sessionAuthorization, answer.sessionAuthorization ?? null);
  if (!outlivesTab(keys.token)) void import("./tab-only").then(({ warnOfTab }) => warnOfTab());
  run();
  try {
    await fetchProfile();
  } catch (error) {
    unanswered(error);
    throw error;
  }
}

function checkToken(): void {
  const token = read(keys.token);
  if (session.get().isAuthenticated && (!token || expired(token, serverNow()))) void logout();
}

/** Starts the periodic checks. They run while the page is open and do nothing without a session. */
function run(): void {
  if (running) return;
  running = true;
  apiContext.onUnauthorized = handleUnauthorized;
  setInterval(checkToken, tokenCheckEvery);
  setInterval(() => {
    if (session.get().problem) void retry();
  }, retryEvery);
  setInterval(() => {
    if (!session.get().isAuthenticated) return;
    void loadProfile();
    for (const load of refreshes) load();
  }, refreshEvery);
  // Signing out in one tab signs out in all. A null key means that everything was removed at once.
  addEventListener("storage", ({ key, oldValue }) => {
    if (key === keys.token || key === null) void followOtherTab(oldValue);
  });
}

/** The stored marketing parameters. */
function marketing(): Record<string, string> {
  try {
    return JSON.parse(read(keys.marketing) ?? "{}") as Record<string, string>;
  } catch {
    return {};
  }
}

/** Redirects from a failed token login to the login, which says why, and from there to the link's destination. */
function leadToLogin(error: unknown): void {
  report("session: the token login failed", error);
  if (error instanceof ApiError && error.reason === "frozen") keepForTab(keys.frozen, error.message);
  location.replace(paths.loginAfterLink(location.pathname + location.search));
}

/** The player of a context: a JWT's subject, or the first part of a PlayFab session ticket. It is not verified. */
const bearerOf = (context: string): unknown => claims(context)?.sub ?? context.split("-")[0];

/**
 * Signs in by a one-time context from a game. A refused one leads to the login. A signed-in player stays signed in: a
 * link must not make players unknowingly pay from or into another player's wallet.
 */
async function startWithContext(context: string, utmParams = marketing()): Promise<void> {
  waiting = { context, utmParams };
  const token = read(keys.token);
  if (token) {
    await loadProfile();
    if (session.get().problem) return; // not known yet; see retry
    if (session.get().isAuthenticated) {
      waiting = null;
      if (claims(token)?.sub === bearerOf(context)) return;
      const { notifyAnywhere } = await import("~/components/ui/toasts");
      notifyAnywhere("blank", "This link is another player's", "You are signed in already. Sign out first, then open the link again.");
      return;
    }
  }
  session.set({ isLoading: true }); // also if a session has just been found to have ended
  try {
    const answer = await json<{ success: boolean; token: string; sessionAuthorization?: string }>("/api/proxy/auth/token/login", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ context, utmParams }),
    });
    waiting = null; // it can be used once
    if (!answer.success) return leadToLogin("not successful");
    await signIn(answer);
  } catch (error) {
    if (!waiting || !(error instanceof ApiError) || error.status >= 500 || error.status === 429) return unanswered(error);
    leadToLogin(error);
  }
}

/** Retries to find out who is signed in, after the server could not tell; one attempt at a time. */
export function retry(): Promise<void> {
  trying ??= (waiting ? startWithContext(waiting.context, waiting.utmParams) : loadProfile()).finally(() => {
    trying = null;
  });
  return trying;
}

/**
 * Finds out who is signed in: by a one-time `context` from a game, or by the stored token. The server decides whether
 * the token has expired: its time is not known yet, and this browser's clock may be hours off.
 */
export async function start(context: string | null): Promise<void> {
  run();
  if (context) return startWithContext(context);
  await loadProfile();
}
