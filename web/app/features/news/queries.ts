import { json } from "~/lib/api/json";
import type { components } from "~/lib/api/schema.gen";
import { keys, read } from "~/lib/storage";

export type NewsItem = components["schemas"]["NewsItem"];

/** Loads the news items for this reader, whom the stored token identifies. `banners`: banners only. */
export async function loadNews({ banners = false, signal }: { banners?: boolean; signal?: AbortSignal } = {}): Promise<NewsItem[]> {
  const token = read(keys.token);
  const { items } = await json<components["schemas"]["News"]>(`/api/news${banners ? "?banners=true" : ""}`, {
    ...(signal ? { signal } : {}),
    headers: token ? { Authorization: token } : {},
  });
  return items;
}
