import { createStore, useStore } from "~/lib/store";

export interface Flag {
  enabled: boolean;
  value?: unknown;
  /** How it came about; "DISABLED" if it is off whatever its rules say. */
  reason?: string;
}

export interface Flags {
  flags: Record<string, Flag>;
  loading: boolean;
  /** True once flags were loaded, or taken from storage because the service is unavailable. */
  isFetched: boolean;
}

/** The evaluated flags. `poll.ts` sets them. */
export const flags = createStore<Flags>({ flags: {}, loading: true, isFetched: false });

/** Whether the flags could not be loaded, neither from the service nor from this browser's storage. */
export function useFlagsMissing(): boolean {
  return useStore(flags, ({ loading, isFetched }) => !loading && !isFetched);
}

/** Whether a flag is on; undefined while unknown, false if it cannot be loaded. */
export function useFlag(key: string): boolean | undefined {
  return useStore(flags, (state) => {
    if (state.isFetched) return state.flags[key]?.enabled ?? false;
    return state.loading ? undefined : false;
  });
}
