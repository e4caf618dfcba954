import type { ReactNode } from "react";
import { Link } from "react-router";
import { brand } from "#brand";
import { Mark } from "#brand/mark";
import { cn } from "~/lib/cn";
import { paths } from "~/lib/paths";

interface PlainPageProps {
  title: string;
  /** A scene of 1600 × 900 units, with its subject right of the centre. */
  picture?: string;
  /**
   * Whether its text is long and may grow: it starts at the top, so that nothing already read moves, beside a
   * narrower picture.
   */
  grows?: boolean;
  children: ReactNode;
}

/** A standalone page of the marketplace: a picture, one heading, one action. */
export function PlainPage({ title, picture, grows, children }: PlainPageProps) {
  return (
    <main className="relative isolate grid min-h-svh grid-rows-[auto_1fr_auto] gap-10 overflow-hidden px-4 py-6 sm:px-10">
      {picture && (
        <div className={cn("absolute inset-x-0 top-0 -z-10 h-[46svh] lg:left-auto lg:h-full", grows ? "lg:w-[58%]" : "lg:w-[80%]")}>
          <img src={picture} alt="" width={1600} height={900} fetchPriority="high" className="size-full object-cover object-[72%_40%]" />
          <div
            className={
              "absolute inset-0 " +
              "bg-[linear-gradient(0deg,var(--color-night),transparent_60%),linear-gradient(180deg,var(--color-night),transparent_30%)] " +
              "lg:bg-[linear-gradient(90deg,var(--color-night)_4%,transparent_52%)]"
            }
          />
        </div>
      )}
      <div className="scale-y absolute inset-y-0 left-0 hidden w-2.5 sm:block" />
      <Link
        to={paths.home}
        className="flex min-h-11 items-center gap-2.5 justify-self-start text-bronze"
        aria-label={`${brand.name}, home`}
      >
        <Mark />
        <span className="display text-2xl tracking-wider text-bone">{brand.name}</span>
      </Link>
      <div
        className={cn(
          "max-w-2xl animate-rise pb-[12svh] lg:ml-[4vw]",
          picture && "max-lg:mt-[26svh]",
          grows ? "self-start lg:mt-[6svh]" : "self-center",
        )}
      >
        <h1 className="display text-[clamp(3.25rem,9vw,7.5rem)]">{title}</h1>
        {children}
      </div>
      <div className="meander text-bronze-dim" />
    </main>
  );
}
