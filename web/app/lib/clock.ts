import { useEffect, useState } from "react";

/** What has to be added to this browser's clock to get the server's, in milliseconds. */
let skew = 0;

/** Smaller differences are within what the Date header (whole seconds) and the network can tell. */
const tolerance = 1500;

/**
 * Learns the server's time from the Date header of an answer (RFC 9110, section 6.6.1) that was asked for at `sent` and
 * came at `received`, in milliseconds of this browser's clock.
 */
export function learnServerTime(date: string | null, sent: number, received: number): void {
  const server = date ? Date.parse(date) : Number.NaN;
  if (Number.isNaN(server)) return;
  const found = server + 500 - (sent + received) / 2;
  if (Math.abs(found - skew) > tolerance) skew = found;
}

/** The server's time in milliseconds since 1970, as well as it is known. Holds and tokens are judged by it. */
export function serverNow(): number {
  return Date.now() + skew;
}

/** The server's time, renewed every second while the component is shown; 0 until it is in the browser. */
export function useNow(): number {
  const [now, setNow] = useState(0);
  useEffect(() => {
    setNow(serverNow());
    const timer = setInterval(() => setNow(serverNow()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
