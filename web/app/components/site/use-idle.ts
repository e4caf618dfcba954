import { useEffect, useState } from "react";

/**
 * False until the page is there and has nothing more to do, then true: when pictures may begin to move. Stays false for
 * who prefers reduced motion.
 */
export function useIdle(): boolean {
  const [idle, setIdle] = useState(false);
  useEffect(() => {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const start = () => setIdle(true);
    // Not every browser tells when it is idle; two seconds after the page was made it has been.
    if (!("requestIdleCallback" in window)) {
      const timer = setTimeout(start, 2000);
      return () => clearTimeout(timer);
    }
    const request = requestIdleCallback(start, { timeout: 5000 });
    return () => cancelIdleCallback(request);
  }, []);
  return idle;
}
