import { type ReactNode, useEffect, useRef } from "react";
import { useLocation, useNavigationType } from "react-router";
import { focusMain } from "~/lib/focus";

/** The title of the document. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Operate`;
  }, [title]);
}

/** Moves the focus to the page and scrolls to its top after a link was followed. Back and forward leave both to the browser. */
export function usePageStart(): void {
  const { pathname, hash } = useLocation();
  const followed = (useNavigationType() as string) === "PUSH";
  const before = useRef(pathname);
  useEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    if (!followed || hash) return;
    scrollTo(0, 0);
    focusMain();
  }, [pathname, hash, followed]);
}

interface PageProps {
  heading: string;
  /** The title of the document, if it is not the heading. */
  title?: string;
  /** Beside the heading: the acts of the page. */
  acts?: ReactNode;
  children: ReactNode;
}

/** A page of the console: its title, its heading and its content. */
export function Page({ heading, title = heading, acts, children }: PageProps) {
  useTitle(title);
  return (
    <>
      <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <h1 className="title min-w-0 [overflow-wrap:anywhere]">{heading}</h1>
        {acts && <div className="flex flex-wrap gap-2">{acts}</div>}
      </header>
      <div className="mt-5 grid grid-cols-[minmax(0,1fr)] gap-8">{children}</div>
    </>
  );
}

interface SectionProps {
  heading: string;
  /** Under the heading. */
  note?: ReactNode;
  /** Beside the heading. */
  acts?: ReactNode;
  id?: string;
  children: ReactNode;
}

/** A part of a page with its heading. */
export function Section({ heading, note, acts, id, children }: SectionProps) {
  const box = useRef<HTMLElement>(null);
  const { hash } = useLocation();
  // The browser looks for it before it is loaded.
  useEffect(() => {
    if (id && hash === `#${id}`) box.current?.scrollIntoView();
  }, [id, hash]);
  return (
    <section ref={box} id={id} className="grid scroll-mt-16 grid-cols-[minmax(0,1fr)] gap-2.5 lg:scroll-mt-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h2 className="display text-2xl">{heading}</h2>
        {acts && <div className="flex flex-wrap gap-2">{acts}</div>}
      </div>
      {note && <p className="max-w-prose text-sm text-bone-muted">{note}</p>}
      {children}
    </section>
  );
}

/** That there is nothing in a list. */
export const Nothing = ({ children }: { children: ReactNode }) => (
  <p className="border-y border-line py-3 text-sm text-bone-muted">{children}</p>
);
