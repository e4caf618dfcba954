import { type Sitter, sitters } from "#brand/content/collections/team";
import { cn } from "~/lib/cn";
import cartographer from "~art/scene-team-cartographer.svg";
import chaos from "~art/scene-team-chaos.svg";
import engraver from "~art/scene-team-engraver.svg";
import harbour from "~art/scene-team-harbour.svg";
import music from "~art/scene-team-music.svg";
import notary from "~art/scene-team-notary.svg";
import tester from "~art/scene-team-tester.svg";
import tides from "~art/scene-team-tides.svg";
import watch from "~art/scene-team-watch.svg";

const portraits: Record<string, string> = { cartographer, chaos, engraver, harbour, music, notary, tester, tides, watch };

/** The position and size of each portrait: a wall of pictures is not a table. */
const places: Record<string, string> = {
  engraver: "lg:col-span-5",
  cartographer: "lg:col-span-4 lg:col-start-8 lg:mt-40",
  watch: "lg:col-span-4 lg:col-start-2",
  notary: "lg:col-span-5 lg:col-start-8 lg:mt-24",
  tester: "lg:col-span-6 lg:mt-4",
  chaos: "lg:col-span-4 lg:col-start-9 lg:mt-52",
  harbour: "lg:col-span-4 lg:col-start-2",
  tides: "lg:col-span-5 lg:col-start-7 lg:mt-28",
  music: "lg:col-span-4 lg:-mt-16",
};

function Words({ sitter, className }: { sitter: Sitter; className?: string }) {
  return (
    <div className={className}>
      <p className="caption text-bronze">{sitter.trade}</p>
      <h2 className="display mt-2 max-w-[5.66em] text-4xl">{sitter.name}</h2>
      <p className="mt-2 text-bone-muted">{sitter.byname}</p>
      <p className="mt-4 max-w-[27rem]">{sitter.text}</p>
    </div>
  );
}

/** The portraits. The first is beside the page's opening picture. */
export default function Wall() {
  const [first, ...others] = sitters;
  return (
    <section aria-label="The ten" className="overflow-x-clip">
      <div className="mx-auto max-w-[100rem] px-4 pt-14 sm:px-8 lg:pt-20">
        {first && <Words sitter={first} className="lg:ml-[50%] lg:text-lg" />}
        <ul className="mt-24 grid grid-cols-1 gap-x-8 gap-y-20 sm:grid-cols-2 lg:mt-20 lg:grid-cols-12 lg:gap-y-16">
          {others.map((sitter, index) => (
            <li key={sitter.id} className={cn(places[sitter.id], index % 2 === 1 && "sm:max-lg:mt-28")}>
              <img src={portraits[sitter.id]} alt="" width={640} height={710} loading="lazy" decoding="async" className="w-full" />
              <Words sitter={sitter} className="mt-6" />
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
