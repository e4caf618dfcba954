import { useEffect, useState } from "react";

/** The server's clock minus this browser's, in milliseconds. */
let skew = 0;

/** Smaller differences are within the accuracy of the Date header (whole seconds) and the network. */
const tolerance = 1500;

/**
 * Learns the server's time from the Date header of a response (RFC 9110, section 6.6.1), requested at `sent` and
 * received at `received`, in milliseconds of this browser's clock.
 */
export function learnServerTime(date: string | null, sent: number, received: number): void {
  const server = date ? Date.parse(date) : Number.NaN;
  if (Number.isNaN(server)) return;
  const found = server + 500 - (sent + received) / 2;
  if (Math.abs(found - skew) > tolerance) skew = found;
}

/**
 * The server's time in milliseconds since 1970, as far as known. The expiry of holds and tokens is compared with it.
 */
export function serverNow(): number {
  return Date.now() + skew;
}

/** The server's time, updated every second while the component is mounted; 0 until hydration. */
export function useNow(): number {
  const [now, setNow] = useState(0);
  useEffect(() => {
    setNow(serverNow());
    const timer = setInterval(() => setNow(serverNow()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
