import { api, unwrap } from "~/lib/api/client";
import type { components } from "~/lib/api/schema.gen";
import { LruMap } from "~/lib/lru";

type ChainMetadata = components["schemas"]["ChainMetadata"];

/** How long metadata is cached, in milliseconds. */
const lifetime = 300_000;

/** The metadata of how many chains is cached. */
const maxCached = 4096;

const cache = new LruMap<number, { until: number; metadata: Promise<ChainMetadata> }>(maxCached);

/** The public metadata of a chain, cached for 5 minutes. Throws what `unwrap` throws; a failure is not cached. */
export function chainMetadata(chainId: number): Promise<ChainMetadata> {
  const cached = cache.get(chainId);
  if (cached && Date.now() < cached.until) return cached.metadata;
  const metadata = unwrap(api.GET("/api/proxy/chains/{chainId}", { params: { path: { chainId } } })).then(({ data }) => data);
  const entry = { until: Date.now() + lifetime, metadata };
  cache.set(chainId, entry);
  metadata.catch(() => {
    if (cache.get(chainId) === entry) cache.delete(chainId);
  });
  return metadata;
}
