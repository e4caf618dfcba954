import type { ReactNode } from "react";
import { cn } from "~/lib/cn";
import { useFlag } from "../store";

/**
 * An entry of a menu that is there while its flag is on. It keeps its place while the flag is not known yet, so that nothing
 * moves when it is. Without scripts it never is: then the entry is there.
 */
export function Gated({ flag, children }: { flag: string; children: ReactNode }) {
  const on = useFlag(flag);
  return <li className={cn(on === undefined && "invisible noscript:visible", on === false && "hidden")}>{children}</li>;
}
