import type { ReactNode } from "react";
import { cn } from "~/lib/cn";

interface OwnPageProps {
  /** A line above the heading. */
  caption?: ReactNode;
  /** Up to about four words. */
  heading: ReactNode;
  /** A sentence beside the heading. */
  lead?: ReactNode;
  /** Further content beside the heading, below the lead. */
  aside?: ReactNode;
  className?: string;
  children: ReactNode;
}

/** The layout of a player's own pages: a large heading, an introduction beside it, and the content. */
export function OwnPage({ caption, heading, lead, aside, className, children }: OwnPageProps) {
  return (
    // High enough that the footer is below the fold: it must not jump when the content loads.
    <div className={cn("mx-auto min-h-[90svh] max-w-[100rem] px-4 pb-8 pt-10 sm:px-8 lg:pt-16", className)}>
      <header className="mb-12 grid grid-cols-1 gap-x-16 gap-y-6 lg:mb-16 lg:grid-cols-[1.65fr_1fr] lg:items-end">
        <div>
          {caption && <p className="caption mb-4 text-bronze">{caption}</p>}
          <h1 className="display max-w-[8em] text-[clamp(3.5rem,8vw,7rem)]">{heading}</h1>
        </div>
        <div>
          {lead && <p className="max-w-[30rem] text-lg">{lead}</p>}
          {aside}
        </div>
      </header>
      {children}
    </div>
  );
}
