import type { ComponentProps } from "react";
import { cn } from "~/lib/cn";

/**
 * Content that may be wider than the page, such as a table, and then scrolls on its own; its edge shows that it
 * continues, and the keyboard can scroll it. It contains what is hidden by position, which would widen the page.
 */
export function ScrollArea({ className, ...props }: ComponentProps<"section">) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: without a tab stop the keyboard cannot scroll it (WCAG 2.2, 2.1.1)
  return <section tabIndex={0} {...props} className={cn("scroll-edge relative overflow-x-auto", className)} />;
}
