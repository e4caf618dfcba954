import { pageMeta } from "~/components/site/page-meta";
import { ButtonLink } from "~/components/ui/button";
import { paths } from "~/lib/paths";

export const meta = () =>
  pageMeta("Night Express", "One line, one night, and a timetable to keep. Drivers buy and sell their engines and wagons on our market.");

/** The page of the game. */
export default function NightExpress() {
  return (
    <div className="mx-auto max-w-[100rem] px-4 py-20 sm:px-8">
      <h1 className="display text-hero">Night Express</h1>
      <p className="mt-6 max-w-[34rem] text-lg">One line, one night, and a timetable to keep.</p>
      <p className="mt-8">
        <ButtonLink to={paths.market}>Enter the market</ButtonLink>
      </p>
    </div>
  );
}
