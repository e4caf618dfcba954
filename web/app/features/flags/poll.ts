import { loadConfig } from "~/features/config/load";
import { json } from "~/lib/api/json";
import { report } from "~/lib/report";
import { keys, read, write } from "~/lib/storage";
import { type Flags, flags } from "./store";

/** How often flags are polled, in milliseconds. */
export const pollEvery = 30_000;

const address = "/api/proxy/feature-flag/getEvaluatedFeatureFlags";
/** This site's project at the flag service. */
const project = "portal";

/** The number of the last request for flags, and of the newest answered one. */
let asked = 0;
let answered = 0;

/** Whether the flags' unavailability has been reported; once per outage. */
let told = false;

function reportOnce(what: string, error: unknown): void {
  if (!told) report(what, error);
  told = true;
}

/** Parses the flags of a response, or of this browser's storage; undefined if malformed. */
function flagsIn(value: unknown): Flags["flags"] | undefined {
  const isFlags = typeof value === "object" && value !== null && Object.values(value).every((flag) => typeof flag?.enabled === "boolean");
  return isFlags ? (value as Flags["flags"]) : undefined;
}

function cachedFlags(): Flags["flags"] | undefined {
  try {
    return flagsIn(JSON.parse(read(keys.flags) ?? "null"));
  } catch {
    return undefined;
  }
}

async function askForFlags(): Promise<Flags["flags"]> {
  const { environment } = await loadConfig();
  const token = read(keys.token);
  const answer = await json<{ flags: unknown }>(`${address}?${new URLSearchParams({ environment, project })}`, {
    credentials: "include",
    // Flags may be on for some players only.
    headers: token ? { Authorization: token } : {},
  });
  const flags = flagsIn(answer?.flags);
  if (!flags) throw new Error("the flag service's answer has no flags");
  write(keys.flags, JSON.stringify(flags));
  told = false;
  return flags;
}

/**
 * The evaluated flags; if the service is unavailable, the last ones stored in this browser. Throws if there are none
 * either.
 */
export async function evaluatedFlags(): Promise<Flags["flags"]> {
  try {
    return await askForFlags();
  } catch (error) {
    const cached = cachedFlags();
    if (!cached) throw error;
    reportOnce("flags: the last ones are used", error);
    return cached;
  }
}

/** Loads the flags into the store. */
export async function loadFlags(): Promise<void> {
  const mine = ++asked;
  try {
    const newest = await evaluatedFlags();
    if (mine < answered) return;
    answered = mine;
    flags.set({ flags: newest, loading: false, isFetched: true });
  } catch (error) {
    reportOnce("flags: not loaded", error);
    flags.set({ loading: false });
  }
}

/** Loads the flags now and then every 30 s. Returns a function that stops it. */
export function pollFlags(): () => void {
  void loadFlags();
  const timer = setInterval(() => void loadFlags(), pollEvery);
  return () => clearInterval(timer);
}
