import type { ReactNode } from "react";
import { Link } from "react-router";
import { brand } from "#brand";
import { Mark } from "#brand/mark";
import { paths } from "~/lib/paths";

/** A page of the marketplace that stands by itself: one heading, one thing to do. */
export function PlainPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="relative grid min-h-svh content-between gap-10 px-4 py-6 sm:px-10">
      <div className="scale-y absolute inset-y-0 left-0 hidden w-2.5 sm:block" />
      <Link to={paths.home} className="flex items-center gap-2.5 justify-self-start text-bronze" aria-label={`${brand.name}, home`}>
        <Mark />
        <span className="display text-2xl tracking-wider text-bone">{brand.name}</span>
      </Link>
      <div className="max-w-2xl animate-rise pb-[12svh] lg:ml-[12vw]">
        <h1 className="display text-[clamp(3.25rem,9vw,7.5rem)] leading-[0.88]">{title}</h1>
        {children}
      </div>
      <div className="meander text-bronze-dim" />
    </main>
  );
}
