import { useEffect, useState } from "react";

/**
 * A press whose needs are still loading is held, and carried out once they have loaded or failed to. `press` is for the button,
 * `held` is true meanwhile. `of` is what would be submitted: when it changes (by ===), a held press is forgotten.
 */
export function useHeldPress(loading: boolean, act: () => void, of: unknown): { press: () => void; held: boolean } {
  const [pressed, setPressed] = useState<{ of: unknown }>();
  if (pressed && pressed.of !== of) setPressed(undefined);
  const held = pressed?.of === of && pressed !== undefined;
  const due = held && !loading;
  useEffect(() => {
    if (!due) return;
    setPressed(undefined);
    act();
  }, [due, act]);
  return { press: () => (loading ? setPressed({ of }) : act()), held: held && loading };
}
