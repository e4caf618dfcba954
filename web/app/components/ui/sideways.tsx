import type { ComponentProps } from "react";

/** What may be wider than the page, such as a table, and then scrolls by itself; the keyboard reaches it. */
export function Sideways(props: ComponentProps<"section">) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: without a tab stop the keyboard cannot scroll it (WCAG 2.2, 2.1.1); the rule knows no scroll containers
  return <section tabIndex={0} {...props} />;
}
