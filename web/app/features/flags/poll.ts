import { loadConfig } from "~/features/config/load";
import { json } from "~/lib/api/json";
import { report } from "~/lib/report";
import { keys, read, write } from "~/lib/storage";
import { type Flags, flags } from "./store";

/** How often flags are asked for, in milliseconds. */
export const pollEvery = 30_000;

const address = "/api/proxy/feature-flag/getEvaluatedFeatureFlags";
/** Which of the flag service's projects this site is. */
const project = "portal";

/** The number of the last request for flags, and of the newest request that was answered. */
let asked = 0;
let answered = 0;

/** Whether it has been reported that the flags are out of reach; once for as long as they are. */
let told = false;

function reportOnce(what: string, error: unknown): void {
  if (!told) report(what, error);
  told = true;
}

/** Reads what an answer, or this browser's storage, says of the flags; undefined when it is nothing of the kind. */
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

/** The evaluated flags; when the service is away, the last ones this browser saw. Throws when there are none either. */
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

/** Loads the flags now and then every 30 s. Returns the way to stop. */
export function pollFlags(): () => void {
  void loadFlags();
  const timer = setInterval(() => void loadFlags(), pollEvery);
  return () => clearInterval(timer);
}
