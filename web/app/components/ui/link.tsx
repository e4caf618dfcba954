import type { ComponentProps } from "react";
import { Link } from "react-router";
import { cn } from "~/lib/cn";

/** The class of a link in running text, and of a button in place of one. */
export const linkLook = "text-bone underline decoration-bronze decoration-1 underline-offset-4 hover:decoration-ember";

/** A link in running text. */
export function TextLink({ className, ...props }: ComponentProps<typeof Link>) {
  return <Link {...props} className={cn(linkLook, className)} />;
}

/** A link to another site, in a new tab. */
export function ExternalLink({ children, ...props }: ComponentProps<"a"> & { href: string }) {
  return (
    <a {...props} target="_blank" rel="noreferrer">
      {children}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  );
}
