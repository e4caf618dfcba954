import { NavLink, Outlet } from "react-router";
import { Chapter } from "~/components/site/chapter";
import { chapters } from "~/content/whitepaper/chapters";
import { paths } from "~/lib/paths";
import chest from "~art/chest.svg";
import dawn from "~art/god-dawn.svg";
import labyrinth from "~art/god-labyrinth.svg";
import moon from "~art/god-moon.svg";
import sea from "~art/god-sea.svg";
import immortal from "~art/immortal.svg";
import pass from "~art/pass-community.svg";
import merge from "~art/scene-merge.svg";
import pantheon from "~art/scene-pantheon.svg";
import sword from "~art/sword.svg";
import { useReading } from "./use-reading";

const card = (src: string) => ({ src, width: 600, height: 800 });

/** What stands at the heads of the chapters, in their order: not what their texts show again. */
const pictures = [
  card(dawn),
  card(chest),
  card(immortal),
  { src: merge, width: 1600, height: 860 },
  card(labyrinth),
  card(pass),
  card(moon),
  card(sea),
  card(sword),
];

const pages = chapters.map((chapter) => ({ label: chapter.label, to: `${paths.whitepaper}/${chapter.path}` }));

/** The frame of the whitepaper: its first page and its chapters, each with the way to the others. */
export default function Whitepaper() {
  const { page, headings, pathname } = useReading();
  const at = pages.findIndex((p) => p.to === pathname);
  return (
    <Chapter
      page={page}
      headings={headings}
      picture={at < 0 ? { src: pantheon, width: 1600, height: 900 } : pictures[at]}
      caption={at < 0 ? "Whitepaper" : `Whitepaper · Chapter ${at + 1} of ${pages.length}`}
      previous={at < 0 ? undefined : (pages[at - 1] ?? { label: "Whitepaper", to: paths.whitepaper })}
      next={pages[at + 1]}
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
