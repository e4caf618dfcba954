import { pageMeta } from "~/components/site/page-meta";
import { ButtonLink } from "~/components/ui/button";
import { paths } from "~/lib/paths";

export const meta = () =>
  pageMeta("Quest", "One hero, one road, and what waits beside it. What heroes carry in it is bought and sold on our market.");

/** The page of our game. */
export default function Quest() {
  return (
    <div className="mx-auto max-w-[100rem] px-4 py-20 sm:px-8">
      <h1 className="display text-hero">Quest</h1>
      <p className="mt-6 max-w-[34rem] text-lg">One hero, one road, and what waits beside it.</p>
      <p className="mt-8">
        <ButtonLink to={paths.market}>Enter the market</ButtonLink>
      </p>
    </div>
  );
}
