import { json } from "~/lib/api/json";
import type { components } from "~/lib/api/schema.gen";
import { keys, read } from "~/lib/storage";

export type NewsItem = components["schemas"]["NewsItem"];

/** What the studio tells this reader now. The stored token is sent: some news is for players only, or for visitors. `banners`: only what every page shows. */
export async function loadNews({ banners = false, signal }: { banners?: boolean; signal?: AbortSignal } = {}): Promise<NewsItem[]> {
  const token = read(keys.token);
  const { items } = await json<components["schemas"]["News"]>(`/api/news${banners ? "?banners=true" : ""}`, {
    ...(signal ? { signal } : {}),
    headers: token ? { Authorization: token } : {},
  });
  return items;
}
