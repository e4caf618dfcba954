import type { ComponentProps } from "react";
import { Link } from "react-router";
import { cn } from "~/lib/cn";

/** A link in running text. */
export function TextLink({ className, ...props }: ComponentProps<typeof Link>) {
  return <Link {...props} className={cn("text-bone underline decoration-bronze decoration-1 underline-offset-4 hover:decoration-ember", className)} />;
}

/** A link that leaves the site, in a tab of its own. */
export function ExternalLink({ children, ...props }: ComponentProps<"a"> & { href: string }) {
  return (
    <a {...props} target="_blank" rel="noreferrer">
      {children}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  );
}
