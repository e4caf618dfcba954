import { useEffect, useState } from "react";

/** The time in milliseconds, renewed every second while the component is shown; 0 until it is in the browser. */
export function useNow(): number {
  const [now, setNow] = useState(0);
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
