import type { ReactNode } from "react";
import { cn } from "~/lib/cn";
import { useFlag } from "../store";

/**
 * A menu entry that is shown while its flag is on. It keeps its space while the flag is unknown, so that nothing
 * shifts. Without scripts the flag stays unknown: then the entry is shown.
 */
export function Gated({ flag, children }: { flag: string; children: ReactNode }) {
  const on = useFlag(flag);
  return <li className={cn(on === undefined && "invisible noscript:visible", on === false && "hidden")}>{children}</li>;
}
