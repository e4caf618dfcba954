import Text, { page } from "#brand/content/collections/elder-gods.mdx";
import { PageHero } from "~/components/site/page-hero";
import { pageMeta } from "~/components/site/page-meta";
import { SideHeadings } from "~/components/site/side-headings";
import { ButtonLink } from "~/components/ui/button";
import { deferred } from "~/lib/deferred";
import { paths } from "~/lib/paths";
import hall from "~art/scene-hall.svg";

/** The gallery is loaded lazily: its prerendered form is already visible. */
const Gallery = deferred(() => import("./elder-gods-gallery"));

export const meta = () => pageMeta(page.title, page.description);

/** The gallery of the twelve gods, and how their castings work. */
export default function ElderGods() {
  return (
    <>
      <PageHero
        caption="Twelve gods, cast ten times"
        heading={page.heading}
        lead={page.lead}
        picture={{ src: hall, width: 1600, height: 900, className: "object-[66%_30%]" }}
        actions={<ButtonLink to={`${paths.market}?collection=elder-gods`}>See castings for sale</ButtonLink>}
      />
      <Gallery />
      <SideHeadings>
        <Text />
      </SideHeadings>
    </>
  );
}
