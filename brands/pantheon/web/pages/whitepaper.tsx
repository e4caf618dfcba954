import { NavLink, Outlet } from "react-router";
import { chapters } from "#brand/content/whitepaper/chapters";
import { pages } from "#brand/pages";
import { Chapter } from "~/components/site/chapter";
import { useReading } from "~/routes/reading/use-reading";
import ashore from "~art/scene-ashore.svg";
import castings from "~art/scene-castings.svg";
import desk from "~art/scene-desk.svg";
import evening from "~art/scene-evening.svg";
import keeper from "~art/scene-keeper.svg";
import lent from "~art/scene-lent.svg";
import maze from "~art/scene-maze.svg";
import oath from "~art/scene-oath.svg";
import plots from "~art/scene-plots.svg";
import reckoning from "~art/scene-reckoning.svg";

/** The scenes above the chapters, in order: no other page shows them. */
const scenes = [evening, oath, maze, reckoning, plots, keeper, castings, ashore, lent];

const all = chapters.map((chapter) => ({ label: chapter.label, to: `${pages.whitepaper}/${chapter.path}` }));

/** The layout of the whitepaper: its first page and its chapters, each with links to the others. */
export default function Whitepaper() {
  const { page, headings, pathname } = useReading();
  const at = all.findIndex((p) => p.to === pathname);
  return (
    <Chapter
      page={page}
      headings={headings}
      picture={{ src: scenes[at] ?? desk, width: 1600, height: 900, className: "object-[72%_50%]" }}
      caption={at < 0 ? "Whitepaper" : `Whitepaper · Chapter ${at + 1} of ${all.length}`}
      previous={at < 0 ? undefined : (all[at - 1] ?? { label: "Whitepaper", to: pages.whitepaper })}
      next={all[at + 1]}
      aside={at < 0 ? undefined : <Others />}
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
        {all.map((p) => (
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
