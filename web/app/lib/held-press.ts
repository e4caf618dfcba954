import { useEffect, useState } from "react";

/**
 * A press whose needs are still loading is held, and carried out once they have loaded or failed to. `press` is for the button,
 * `held` is true meanwhile, and `release` forgets the press, such as when the player changes what was to be submitted.
 */
export function useHeldPress(loading: boolean, act: () => void): { press: () => void; held: boolean; release: () => void } {
  const [held, setHeld] = useState(false);
  const due = held && !loading;
  useEffect(() => {
    if (!due) return;
    setHeld(false);
    act();
  }, [due, act]);
  return { press: () => (loading ? setHeld(true) : act()), held: held && loading, release: () => setHeld(false) };
}
