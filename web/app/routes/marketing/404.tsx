import { pageMeta } from "~/components/site/page-meta";
import { ButtonLink } from "~/components/ui/button";
import { paths } from "~/lib/paths";

export const meta = () =>
  pageMeta("Nothing here", "There is no page at this address: it may be mistyped, or what stood here has moved on to another one.", { index: false });

/** No such page. */
export default function NotFound() {
  return (
    <div className="mx-auto grid max-w-3xl gap-6 px-4 pb-10 pt-20 sm:px-8 lg:pt-28">
      <p className="caption text-bronze">404</p>
      <h1 className="display text-[clamp(3.5rem,9vw,7.5rem)] leading-[0.88]">No star is charted here</h1>
      <p className="max-w-md text-lg text-bone-muted">This address leads nowhere: it may be mistyped, or what stood here has moved on.</p>
      <p className="flex flex-wrap gap-4">
        <ButtonLink to={paths.home}>Back to the beginning</ButtonLink>
        <ButtonLink to={paths.market} kind="quiet">
          To the market
        </ButtonLink>
      </p>
    </div>
  );
}
