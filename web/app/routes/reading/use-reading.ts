import { useMatches } from "react-router";
import type { ContentHandle } from "~/content/page";

/** The metadata of the text at this address, for the layouts of MDX routes. */
export function useReading(): ContentHandle & { pathname: string } {
  const match = useMatches().at(-1);
  if (!match?.handle) throw new Error("This frame is for pages of running text (MDX) only.");
  return { ...(match.handle as ContentHandle), pathname: match.pathname.replace(/(.)\/$/, "$1") };
}
