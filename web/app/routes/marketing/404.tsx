import { notFound as gap } from "#brand/pictures";
import { PageHero } from "~/components/site/page-hero";
import { pageMeta } from "~/components/site/page-meta";
import { ButtonLink } from "~/components/ui/button";
import { paths } from "~/lib/paths";

export const meta = () =>
  pageMeta("Page not found", "There is no page at this address: it may be mistyped, or the page has moved to another one.", {
    index: false,
  });

/** The page for unknown addresses. */
export default function NotFound() {
  return (
    <PageHero
      caption="404"
      heading="Page not found"
      lead="No star is charted here. The address may be mistyped, or the page has moved."
      picture={{ src: gap, width: 1600, height: 900 }}
      actions={
        <>
          <ButtonLink to={paths.home}>To the home page</ButtonLink>
          <ButtonLink to={paths.market} kind="quiet">
            To the market
          </ButtonLink>
        </>
      }
    />
  );
}
