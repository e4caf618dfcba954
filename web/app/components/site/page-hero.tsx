import type { ReactNode } from "react";
import { cn } from "~/lib/cn";

interface PageHeroProps {
  /** A line above the heading that gives the page's place in the site. */
  caption?: ReactNode;
  /** The page's only first-level heading: up to about five words. */
  heading: ReactNode;
  lead?: ReactNode;
  /** The page's first links; at most one of them is primary. */
  actions?: ReactNode;
  /**
   * One of the site's own pictures. A wide one (wider than high) is the background of the text; others are beside it.
   * It is decorative unless `alt` describes it.
   */
  picture?: { src: string; width: number; height: number; alt?: string; className?: string } | undefined;
  /** Further content of the page's beginning. */
  children?: ReactNode;
}

/** The beginning of a page: one large heading, empty space, and its picture. On a phone the picture comes first. */
export function PageHero({ caption, heading, lead, actions, picture, children }: PageHeroProps) {
  const wide = picture !== undefined && picture.width > picture.height;
  const words = (
    <div className={cn("relative", wide && "-mt-20 lg:mt-0")}>
      {caption && <p className="caption text-bronze">{caption}</p>}
      <h1 className="display mt-4 max-w-[4.96em] text-[clamp(3.5rem,8.4vw,8rem)] text-balance">{heading}</h1>
      {lead && <p className="mt-7 max-w-[34rem] text-lg">{lead}</p>}
      {actions && <div className="mt-9 flex flex-wrap gap-4">{actions}</div>}
      {children}
    </div>
  );
  return (
    <header className="relative isolate overflow-hidden border-b border-line">
      <div className="scale-y absolute inset-y-0 left-0 hidden w-2.5 sm:block" />
      {wide ? (
        <>
          <div
            className={
              "relative -z-10 aspect-[4/3] max-h-[60svh] w-full lg:absolute lg:inset-y-0 lg:right-0 lg:aspect-auto " +
              "lg:max-h-none lg:w-[78%]"
            }
          >
            <img
              {...picture}
              alt={picture.alt ?? ""}
              fetchPriority="high"
              className={cn("h-full w-full object-cover", picture.className)}
            />
            <div
              className={
                "absolute inset-0 bg-[linear-gradient(0deg,var(--color-night)_8%,transparent_60%)] " +
                "lg:bg-[linear-gradient(90deg,var(--color-night)_4%,transparent_60%)]"
              }
            />
          </div>
          <div
            className={
              "mx-auto flex max-w-[100rem] flex-col justify-end px-4 pb-14 sm:px-8 lg:min-h-[min(80svh,52rem)] lg:pb-20 " + "lg:pt-24"
            }
          >
            {words}
          </div>
        </>
      ) : (
        <div
          className={cn(
            "mx-auto grid max-w-[100rem] grid-cols-1 gap-x-16 gap-y-10 px-4 pb-14 pt-10 sm:px-8 lg:pb-20 lg:pt-20",
            picture && "lg:grid-cols-[1.65fr_1fr] lg:items-center",
          )}
        >
          {words}
          {picture && (
            <img
              {...picture}
              alt={picture.alt ?? ""}
              fetchPriority="high"
              className={cn(
                "max-lg:order-first max-h-[46svh] w-full object-contain object-left lg:max-h-[70svh] lg:object-right",
                picture.className,
              )}
            />
          )}
        </div>
      )}
    </header>
  );
}
