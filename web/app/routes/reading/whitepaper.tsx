import { NavLink, Outlet } from "react-router";
import { Chapter } from "~/components/site/chapter";
import { chapters } from "~/content/whitepaper/chapters";
import { paths } from "~/lib/paths";
import { useReading } from "./use-reading";

const pages = chapters.map((chapter) => ({ label: chapter.label, to: `${paths.whitepaper}/${chapter.path}` }));

/** The frame of the whitepaper: its first page and its chapters, each with the way to the others. */
export default function Whitepaper() {
  const { page, headings, pathname } = useReading();
  const at = pages.findIndex((p) => p.to === pathname);
  return (
    <Chapter
      page={page}
      headings={headings}
      caption={at < 0 ? "Whitepaper" : `Whitepaper · Chapter ${at + 1} of ${pages.length}`}
      previous={at < 0 ? undefined : (pages[at - 1] ?? { label: "Whitepaper", to: paths.whitepaper })}
      next={pages[at + 1]}
      aside={at < 0 ? undefined : <Others />}
      after={at < 0 ? <AllChapters /> : undefined}
    >
      <Outlet />
    </Chapter>
  );
}

function Others() {
  return (
    <nav aria-label="Chapters" className="mb-10 max-lg:hidden">
      <p className="caption text-bronze">Chapters</p>
      <ol className="mt-3 grid gap-1">
        {pages.map((p) => (
          <li key={p.to}>
            <NavLink to={p.to} className="inline-block py-1 leading-snug text-bone-muted hover:text-bone aria-[current=page]:text-bone">
              {p.label}
            </NavLink>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function AllChapters() {
  return (
    <nav aria-label="Chapters" className="mx-auto max-w-[100rem] px-4 pt-24 sm:px-8">
      <ol className="lg:ml-[25%] lg:pl-4">
        {pages.map((p, i) => (
          <li key={p.to} className="border-t border-line">
            <NavLink to={p.to} className="group grid grid-cols-[3rem_1fr] items-baseline py-4 hover:text-ember-bright">
              <span className="figures text-bronze">{i + 1}</span>
              <span className="display text-2xl sm:text-3xl">{p.label}</span>
            </NavLink>
          </li>
        ))}
      </ol>
    </nav>
  );
}
