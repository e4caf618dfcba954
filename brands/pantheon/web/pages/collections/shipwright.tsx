import Text, { page } from "#brand/content/collections/shipwright.mdx";
import { PageHero } from "~/components/site/page-hero";
import { pageMeta } from "~/components/site/page-meta";
import { SideHeadings } from "~/components/site/side-headings";
import { ButtonLink } from "~/components/ui/button";
import { session } from "~/features/session/store";
import { deferred } from "~/lib/deferred";
import { paths } from "~/lib/paths";
import { useStore } from "~/lib/store";
import shipyard from "~art/scene-shipyard.svg";

/** The ships are loaded lazily: their prerendered form is already visible. */
const Fleet = deferred(() => import("./shipwright-fleet"));

export const meta = () => pageMeta(page.title, page.description);

/**
 * The way to the player's arks; visitors are led to the login. It is a component of its own: rendering the page again before the
 * fleet has loaded would drop the fleet's prerendered form.
 */
function ToTheArks() {
  const isAuthenticated = useStore(session, (s) => s.isAuthenticated);
  return (
    <ButtonLink to={paths.arks} kind={isAuthenticated ? "primary" : "quiet"} className="mt-8">
      {isAuthenticated ? "Break up an ark" : "See your arks"}
    </ButtonLink>
  );
}

/** The Shipwright's yard: the four arks, and what breaking one up yields. */
export default function Shipwright() {
  return (
    <>
      <PageHero
        caption="She takes ships apart"
        heading={page.heading}
        lead={page.lead}
        picture={{ src: shipyard, width: 1600, height: 900, className: "object-[68%_50%]" }}
      >
        <ToTheArks />
      </PageHero>
      <Fleet />
      <SideHeadings>
        <Text />
      </SideHeadings>
    </>
  );
}
