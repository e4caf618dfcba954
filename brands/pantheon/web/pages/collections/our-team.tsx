import Text, { page } from "#brand/content/collections/our-team.mdx";
import { pageMeta } from "~/components/site/page-meta";
import { SideHeadings } from "~/components/site/side-headings";
import { deferred } from "~/lib/deferred";
import accountant from "~art/scene-team-accountant.svg";

/** The others are loaded lazily: their prerendered form is already visible. */
const Wall = deferred(() => import("./our-team-wall"));

export const meta = () => pageMeta(page.title, page.description);

/** The professions of the studio, each represented by a character of the games. */
export default function OurTeam() {
  return (
    <>
      <header className="relative isolate overflow-hidden border-b border-line">
        <div className="scale-y absolute inset-y-0 left-0 hidden w-2.5 sm:block" />
        <img
          src={accountant}
          alt=""
          width={640}
          height={710}
          fetchPriority="high"
          className={
            "mx-auto h-auto w-[118%] max-w-none max-lg:-mb-24 max-lg:-ml-[9%] max-lg:max-h-none lg:absolute " +
            "lg:-right-[3rem] lg:-top-[9%] lg:-z-10 lg:w-[min(62rem,60vw)]"
          }
        />
        <div className="absolute inset-x-0 bottom-0 -z-10 hidden h-40 bg-[linear-gradient(0deg,var(--color-night),transparent)] lg:block" />
        <div
          className={
            "relative mx-auto flex max-w-[100rem] flex-col justify-end px-4 pb-14 " +
            "max-lg:bg-[linear-gradient(0deg,var(--color-night)_78%,transparent)] max-lg:pt-24 sm:px-8 " +
            "lg:min-h-[min(92svh,58rem)] lg:pb-20"
          }
        >
          <p className="caption mb-4 text-bronze">Ten trades, one house</p>
          <h1 className="display text-hero max-w-[2.83em]">{page.heading}</h1>
          <p className="mt-7 max-w-[26rem] text-lg">{page.lead}</p>
        </div>
      </header>
      <Wall />
      <SideHeadings>
        <Text />
      </SideHeadings>
    </>
  );
}
