import type { ReactNode } from "react";
import { cn } from "~/lib/cn";

interface SectionProps {
  heading: ReactNode;
  /** A sentence below the heading. */
  text?: ReactNode;
  /** Puts the heading beside the content, one part to three, if there is room. Otherwise it is above. */
  beside?: boolean;
  id?: string;
  className?: string;
  children?: ReactNode;
}

/** A section under a second-level heading, separated from the previous one by empty space. */
export function Section({ heading, text, beside = false, id, className, children }: SectionProps) {
  return (
    <section
      id={id}
      className={cn(
        "mx-auto grid max-w-[100rem] grid-cols-1 gap-10 px-4 pt-24 sm:px-8 lg:pt-36",
        beside && "lg:grid-cols-[1fr_3fr]",
        className,
      )}
    >
      <div>
        <h2 className="display max-w-[4.96em] text-4xl sm:text-5xl">{heading}</h2>
        {text && <p className="mt-4 max-w-md text-bone-muted">{text}</p>}
      </div>
      {children}
    </section>
  );
}
