import { useEffect, useState } from "react";

/** False until the page has loaded and is idle, then true: animations may start. Stays false with reduced motion. */
export function useIdle(): boolean {
  const [idle, setIdle] = useState(false);
  useEffect(() => {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const start = () => setIdle(true);
    // Browsers without idle callbacks: two seconds after mounting.
    if (!("requestIdleCallback" in window)) {
      const timer = setTimeout(start, 2000);
      return () => clearTimeout(timer);
    }
    const request = requestIdleCallback(start, { timeout: 5000 });
    return () => cancelIdleCallback(request);
  }, []);
  return idle;
}
