import { lazy, Suspense } from "react";
import { Hanging } from "~/components/site/hanging";
import { Later } from "~/components/site/later";
import { PageHero } from "~/components/site/page-hero";
import { pageMeta } from "~/components/site/page-meta";
import { ButtonLink } from "~/components/ui/button";
import Text, { page } from "~/content/collections/shipwright.mdx";
import { paths } from "~/lib/paths";
import shipyard from "~art/scene-shipyard.svg";

/** The ships are loaded lazily: their prerendered form is already visible. */
const Fleet = lazy(() => import("./shipwright-fleet"));

export const meta = () => pageMeta(page.title, page.description);

/** The Shipwright's yard: the four arks, and what breaking one up yields. */
export default function Shipwright() {
  return (
    <>
      <PageHero heading={page.heading} lead={page.lead} picture={{ src: shipyard, width: 1600, height: 900, className: "object-[68%_50%]" }}>
        <Later className="mt-9">The yard is shut for now. Arks keep well, and nothing of yours can be broken by accident.</Later>
        <ButtonLink to={paths.arks} kind="quiet" className="mt-8">
          See your arks
        </ButtonLink>
      </PageHero>
      <Suspense>
        <Fleet />
      </Suspense>
      <Hanging>
        <Text />
      </Hanging>
    </>
  );
}
