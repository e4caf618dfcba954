import { api, unwrap } from "~/lib/api/client";
import { keys, read, write } from "~/lib/storage";
import { type Flag, flags } from "./store";

/** How often flags are asked for, in milliseconds. */
export const pollEvery = 30_000;

/** Loads the flags; when the service is away, the last ones this browser saw are used. */
export async function loadFlags(): Promise<void> {
  try {
    const query = { environment: "", project: "" };
    const answer = await unwrap(api.GET("/api/proxy/feature-flag/getEvaluatedFeatureFlags", { params: { query }, credentials: "include" }));
    write(keys.flags, JSON.stringify(answer.flags));
    flags.set({ flags: answer.flags, loading: false, isFetched: true });
  } catch {
    const cached = read(keys.flags);
    if (cached) flags.set({ flags: JSON.parse(cached) as Record<string, Flag>, isFetched: true });
    flags.set({ loading: false });
  }
}

/** Loads the flags now and then every 30 s, while the page is in front. */
export function pollFlags(): void {
  void loadFlags();
  setInterval(() => {
    if (document.visibilityState === "visible") void loadFlags();
  }, pollEvery);
}
