import { useSyncExternalStore } from "react";

/** A value outside React that components can subscribe to. Only session, wallet, connection and flags use one. */
export interface Store<T> {
  get(): T;
  /** Replaces the value, or the given fields of it, and notifies all subscribers. */
  set(change: Partial<T>): void;
  subscribe(listener: () => void): () => void;
}

/** Creates a store. `initial` is also what prerendered pages show. */
export function createStore<T extends object>(initial: T): Store<T> & { initial: T } {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    initial,
    get: () => value,
    set(change) {
      value = { ...value, ...change };
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/**
 * Subscribes to a part of a store; rerenders when that part changes. `select` must return the same object for the
 * same state.
 */
export function useStore<T extends object, S>(store: Store<T> & { initial: T }, select: (value: T) => S): S {
  return useSyncExternalStore(
    store.subscribe,
    () => select(store.get()),
    () => select(store.initial),
  );
}
