import type { ReactNode } from "react";
import { cn } from "~/lib/cn";
import { Prose } from "./prose";

/**
 * Running text in short parts, for pages that consist mostly of pictures: headings hang to the left of their text, if
 * there is room.
 */
export function SideHeadings({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <Prose
      className={cn(
        "mx-auto max-w-[100rem] px-4 pt-24 sm:px-8 lg:grid lg:grid-cols-[1fr_3fr] lg:gap-x-10 lg:pt-36",
        "lg:[&>*]:col-start-2 lg:[&>h2]:col-start-1 lg:[&>h2]:row-span-[20] lg:[&>h2]:max-w-[4.25em]! " +
          "lg:[&>h2]:border-t-0! lg:[&>h2]:pt-0!",
        "lg:[&>h2:not(:first-child)]:mt-20! lg:[&>h2:not(:first-child)+*]:mt-20! lg:[&>h2:first-child+*]:mt-0!",
        className,
      )}
    >
      {children}
    </Prose>
  );
}
