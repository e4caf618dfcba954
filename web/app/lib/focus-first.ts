import { type RefObject, useEffect, useRef } from "react";

/** Moves the focus to the first control within an element whenever `value` changes: what had it before is gone. */
export function useFocusFirst<T extends HTMLElement>(value: unknown): RefObject<T | null> {
  const box = useRef<T>(null);
  const before = useRef(value);
  useEffect(() => {
    if (before.current === value) return;
    before.current = value;
    box.current?.querySelector<HTMLElement>("input:not([hidden]), button")?.focus();
  }, [value]);
  return box;
}
