import type { ComponentProps } from "react";
import { cn } from "~/lib/cn";

/** What may be wider than the page, such as a table, and then scrolls by itself; its edge shows where it goes on, and the keyboard reaches it. */
export function ScrollArea({ className, ...props }: ComponentProps<"section">) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: without a tab stop the keyboard cannot scroll it (WCAG 2.2, 2.1.1); the rule knows no scroll containers
  return <section tabIndex={0} {...props} className={cn("scroll-edge overflow-x-auto", className)} />;
}
