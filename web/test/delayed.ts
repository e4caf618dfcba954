import { expect, vi } from "vitest";

/**
 * Responses that are computed when the call arrives and delivered when released, as on a slow connection: by then
 * they may be out of date.
 */
export function delayed<Info, Answer>(answer: (info: Info) => Answer) {
  const gates: (() => void)[] = [];
  let open = false;
  return {
    /** The handler of the call. */
    resolver: async (info: Info): Promise<Answer> => {
      const made = answer(info);
      if (!open) await new Promise<void>((go) => gates.push(go));
      return made;
    },
    /** Waits until `times` calls have arrived. */
    arrived: (times = 1) => vi.waitFor(() => expect(gates.length).toBeGreaterThanOrEqual(times)),
    /** Delivers the response to the nth call. Unless `rest` is false, later calls are answered at once. */
    letGo(nth = 1, rest = true): void {
      open ||= rest;
      gates[nth - 1]?.();
    },
  };
}
