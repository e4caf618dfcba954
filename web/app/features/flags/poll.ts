import { json } from "~/lib/api/json";
import { keys, read, write } from "~/lib/storage";
import { type Flag, flags } from "./store";

/** How often flags are asked for, in milliseconds. */
export const pollEvery = 30_000;

const address = "/api/proxy/feature-flag/getEvaluatedFeatureFlags?environment=web&project=portal";

/** Loads the flags; when the service is away, the last ones this browser saw are used. */
export async function loadFlags(): Promise<void> {
  try {
    const answer = await json<{ flags: Record<string, Flag> }>(address, { credentials: "include" });
    write(keys.flags, JSON.stringify(answer.flags));
    flags.set({ flags: answer.flags, loading: false, isFetched: true });
  } catch {
    const cached = read(keys.flags);
    flags.set(cached ? { flags: JSON.parse(cached) as Record<string, Flag>, loading: false, isFetched: true } : { loading: false });
  }
}

/** Loads the flags now and then every 30 s. Returns the way to stop. */
export function pollFlags(): () => void {
  void loadFlags();
  const timer = setInterval(() => void loadFlags(), pollEvery);
  return () => clearInterval(timer);
}
