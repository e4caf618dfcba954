import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  matchQuery,
  type Query,
  type QueryCacheNotifyEvent,
  QueryClient,
  type QueryClientConfig,
  type QueryFilters,
  type QueryKey,
} from "@tanstack/react-query";

/** The query that a patch is applied to. */
export interface About {
  queryKey: QueryKey;
  /** Has the query refetched, for a change whose result only the server knows. */
  ask(): void;
}

/**
 * Applies a change to a query's data and returns the result, or the same data if the change does not concern it. A
 * patch may be applied several times, also to a response that already contains the change, and must then change
 * nothing. If the data has versions, it never replaces a newer one.
 */
export type Patch<T> = (data: T, about: About) => T;

/** A fetch in progress. */
interface Fetch {
  /** Whether it only loads one more page. */
  more: boolean;
  /** The patches received since it began, in order. */
  patches: Patch<unknown>[];
  /** Whether its response may be out of date, so that another fetch must follow. */
  outdated: boolean;
}

const noop = () => {};
const ended = (promise: Promise<unknown> | undefined) => promise?.then(noop, noop);

/**
 * A query client in which the newest state wins, whatever the order in which responses and messages arrive. They use
 * two connections, so a response may be older than a message that arrived before it. The server announces a change
 * only after its commit: a request sent after the message sees the change, and only fetches in progress need care.
 *
 *  - `patchQueries` changes the loaded data, and the responses of fetches in progress when they arrive.
 *  - `invalidateQueries` lets a fetch in progress finish and then fetches again. It does not cancel the fetch, because
 *    under frequent messages none would ever finish.
 *  - `setQueryData` survives the response of a fetch in progress, after which the query is fetched again.
 *  - `keepPatched` keeps an optimistic change applied until the server has confirmed or refused it.
 */
export class LiveQueryClient extends QueryClient {
  readonly #fetches = new Map<Query, Fetch>();
  readonly #kept = new Set<{ filters: QueryFilters; patch: Patch<unknown> }>();

  constructor(config: QueryClientConfig) {
    super(config);
    this.getQueryCache().subscribe((event) => this.#follow(event));
  }

  /** Applies a change to all matching queries, including those whose first response has not arrived yet. */
  patchQueries<T>(filters: QueryFilters, patch: Patch<T>): void {
    const own = patch as Patch<unknown>;
    for (const query of this.getQueryCache().findAll(filters)) {
      this.#fetches.get(query)?.patches.push(own);
      this.#update(query, [own]);
    }
  }

  /**
   * Applies a change that the server has not confirmed yet, and applies it again to whatever arrives meanwhile.
   * Returns a function that ends this; the caller then invalidates the query. Responses to requests sent before the
   * end are still patched.
   */
  keepPatched<T>(filters: QueryFilters, patch: Patch<T>): () => void {
    const kept = { filters, patch: patch as Patch<unknown> };
    this.#kept.add(kept);
    for (const query of this.getQueryCache().findAll(filters)) this.#update(query, []);
    return () => {
      this.#kept.delete(kept);
      for (const [query, { patches }] of this.#fetches) if (matchQuery(filters, query)) patches.push(kept.patch);
    };
  }

  /**
   * Marks all matching queries as stale and fetches the active ones. The promise settles once requests sent from now
   * on have been answered.
   */
  override async invalidateQueries<K extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<K>,
    options?: InvalidateOptions,
  ): Promise<void> {
    const late = new Set(
      this.getQueryCache()
        .findAll(filters)
        .filter((query) => this.#fetches.has(query)),
    );
    const rest = super.invalidateQueries(
      { ...filters, predicate: (query) => !late.has(query) && (filters?.predicate?.(query) ?? true) },
      options,
    );
    await Promise.all([rest, ...[...late].map((query) => this.#followUp(query))]);
  }

  /** Has the fetch in progress followed by another, and waits for both. */
  async #followUp(query: Query): Promise<void> {
    const fetch = this.#fetches.get(query);
    if (fetch) fetch.outdated = true;
    await ended(query.promise);
    await ended(query.promise); // the following fetch
  }

  #follow(event: QueryCacheNotifyEvent): void {
    const { query, type } = event;
    if (type === "removed") this.#fetches.delete(query);
    if (type !== "updated") return;
    const { action } = event;
    if (action.type === "fetch") this.#begin(query, action.meta?.fetchMore !== undefined);
    else if (query.state.fetchStatus === "idle") this.#end(query);
    else if (action.type === "success" && action.manual) this.#keepSet(query, action.data);
  }

  /**
   * Keeps data that was set manually when the fetch in progress is answered, until the query has been fetched again.
   */
  #keepSet(query: Query, data: unknown): void {
    const fetch = this.#fetches.get(query);
    if (!fetch) return;
    fetch.patches.push(() => data);
    fetch.outdated = true;
  }

  #begin(query: Query, more: boolean): void {
    const before = this.#fetches.get(query);
    // Fetching one more page aborts a refetch of the others, but marks them as up to date.
    const outdated = more && (before ? before.outdated || !before.more : query.state.isInvalidated);
    this.#fetches.set(query, { more, patches: [], outdated });
  }

  /** Brings the data up to date after a fetch was answered, failed, or was cancelled, which restores the data from before it. */
  #end(query: Query): void {
    const fetch = this.#fetches.get(query);
    if (!fetch) return;
    this.#fetches.delete(query);
    this.#update(query, fetch.patches, fetch.outdated);
  }

  /** Patches the loaded data, unconfirmed changes last. The time of the data, its error and its staleness stay as they were. */
  #update(query: Query, patches: Patch<unknown>[], outdated = false): void {
    let asked = outdated;
    const { data } = query.state;
    if (data !== undefined) {
      const about = {
        queryKey: query.queryKey,
        ask: () => {
          asked = true;
        },
      };
      const kept = [...this.#kept].filter(({ filters }) => matchQuery(filters, query)).map(({ patch }) => patch);
      const patched = [...patches, ...kept].reduce<unknown>((now, patch) => patch(now, about), data);
      if (patched !== data) query.setState({ data: patched });
    }
    if (!asked || this.#fetches.has(query)) return; // the patch is applied to that response too, and may ask then
    query.invalidate();
    if (query.isActive()) query.fetch().catch(noop); // the error is in the query's state
  }
}
