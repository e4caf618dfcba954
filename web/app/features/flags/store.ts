import { createStore, useStore } from "~/lib/store";

export interface Flag {
  enabled: boolean;
  value?: unknown;
}

export interface Flags {
  flags: Record<string, Flag>;
  loading: boolean;
  /** True once flags were loaded, or taken from the cache because the service is away. */
  isFetched: boolean;
}

/** What is switched on. `poll.ts` fills it. */
export const flags = createStore<Flags>({ flags: {}, loading: true, isFetched: false });

/** Whether it could not be found out what is switched on: neither the service nor this browser's cache tells. */
export function useFlagsMissing(): boolean {
  return useStore(flags, ({ loading, isFetched }) => !loading && !isFetched);
}

/** Whether a flag is on; undefined until that is known, false when it cannot be found out. */
export function useFlag(key: string): boolean | undefined {
  return useStore(flags, (state) => {
    if (state.isFetched) return state.flags[key]?.enabled ?? false;
    return state.loading ? undefined : false;
  });
}
