import { type ComponentProps, type ReactNode, useEffect, useState } from "react";
import { Link } from "react-router";
import type { ContentPage, Heading } from "~/content/page";
import { PageHero } from "./page-hero";
import { Prose } from "./prose";

/** A page to continue with. */
export interface Step {
  label: string;
  to: string;
}

interface ChapterProps {
  page: ContentPage;
  headings: Heading[];
  caption?: ReactNode;
  picture?: ComponentProps<typeof PageHero>["picture"];
  /** The pages before and after this one. */
  previous?: Step | undefined;
  next?: Step | undefined;
  /** Content above the table of contents: the work's other pages. */
  aside?: ReactNode;
  children: ReactNode;
}

/** A long text: heading, sticky table of contents, a column of readable width, and links to the adjacent pages. */
export function Chapter({ page, headings, caption, picture, previous, next, aside, children }: ChapterProps) {
  return (
    <article>
      <PageHero caption={caption} heading={page.heading} lead={page.lead} picture={picture} />
      <div className="mx-auto grid max-w-[100rem] grid-cols-1 gap-x-16 gap-y-8 px-4 pt-10 sm:px-8 lg:grid-cols-[1fr_3fr] lg:pt-20">
        <div className="lg:sticky lg:top-24 lg:max-h-[calc(100svh-8rem)] lg:self-start lg:overflow-y-auto">
          {aside}
          {headings.length > 1 && <Contents headings={headings} />}
        </div>
        <div className="min-w-0">
          <Prose>{children}</Prose>
          <Onward previous={previous} next={next} />
        </div>
      </div>
    </article>
  );
}

/** The table of contents: a list beside the text, or a disclosure if there is no room. */
function Contents({ headings }: { headings: Heading[] }) {
  const current = useCurrent(headings);
  const list = (
    <ol className="mt-3 grid gap-1">
      {headings.map((h) => (
        <li key={h.id} className={h.depth === 3 ? "pl-4" : undefined}>
          <a
            href={`#${h.id}`}
            aria-current={h.id === current ? "location" : undefined}
            className="inline-block py-1 leading-snug text-bone-muted hover:text-bone aria-[current]:text-bone"
          >
            {h.text}
          </a>
        </li>
      ))}
    </ol>
  );
  return (
    <nav aria-label="On this page">
      <div className="max-lg:hidden">
        <p className="caption text-bronze">On this page</p>
        {list}
      </div>
      <details className="group border-y border-line lg:hidden">
        <summary className="caption min-h-11 cursor-pointer py-3.5 text-bronze">On this page</summary>
        {list}
      </details>
    </nav>
  );
}

/** The heading of the section being read. */
function useCurrent(headings: Heading[]): string | undefined {
  const [current, setCurrent] = useState<string>();
  useEffect(() => {
    // Headings above the window's upper third have been reached; the last of them is the current one.
    const above = new Set<string>();
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) isIntersecting ? above.add(target.id) : above.delete(target.id);
        setCurrent(headings.findLast((heading) => above.has(heading.id))?.id);
      },
      { rootMargin: "1000000px 0px -66% 0px" },
    );
    for (const { id } of headings) {
      const element = document.getElementById(id);
      if (element) observer.observe(element);
    }
    return () => observer.disconnect();
  }, [headings]);
  return current;
}

function Onward({ previous, next }: { previous: Step | undefined; next: Step | undefined }) {
  if (!previous && !next) return null;
  const step = (label: string, to: Step) => (
    <Link to={to.to} className="group block border-t border-bronze-dim pt-4">
      <span className="caption block text-bronze">{label}</span>
      <span className="display mt-2 block text-2xl group-hover:text-ember-bright sm:text-3xl">{to.label}</span>
    </Link>
  );
  return (
    <nav aria-label="Previous and next chapter" className="mt-20 grid max-w-[52rem] gap-8 sm:grid-cols-2">
      <div>{previous && step("Previous", previous)}</div>
      <div>{next && step("Next", next)}</div>
    </nav>
  );
}
