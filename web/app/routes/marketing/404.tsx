import { PageHero } from "~/components/site/page-hero";
import { pageMeta } from "~/components/site/page-meta";
import { ButtonLink } from "~/components/ui/button";
import { paths } from "~/lib/paths";
import gap from "~art/scene-gap.svg";

export const meta = () =>
  pageMeta("Nothing here", "There is no page at this address: it may be mistyped, or what stood here has moved on to another one.", { index: false });

/** The page for unknown addresses. */
export default function NotFound() {
  return (
    <PageHero
      caption="404"
      heading="No star is charted here"
      lead="This address leads nowhere: it may be mistyped, or what stood here has moved on."
      picture={{ src: gap, width: 1600, height: 900 }}
      actions={
        <>
          <ButtonLink to={paths.home}>Back to the beginning</ButtonLink>
          <ButtonLink to={paths.market} kind="quiet">
            To the market
          </ButtonLink>
        </>
      }
    />
  );
}
