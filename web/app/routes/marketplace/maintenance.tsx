import { maintenance as repairs } from "#brand/pictures";
import { pageMeta } from "~/components/site/page-meta";
import { ButtonLink } from "~/components/ui/button";
import { useReopening } from "~/features/flags/maintenance";
import { paths } from "~/lib/paths";
import { PlainPage } from "./plain";

export const meta = () =>
  pageMeta(
    "The market is closed for repairs",
    "The market is closed while it is worked on. What you own and what you hold is safe; it opens again shortly.",
    {
      index: false,
    },
  );

/** Shown while the market is switched off. It redirects back when the market opens. */
export default function Maintenance() {
  useReopening();
  return (
    <PlainPage title="The market is closed for repairs" picture={repairs}>
      <p className="mt-6 max-w-md text-lg text-bone-muted">
        We are working on it. Your items are safe: they are in your own wallet, on a public chain. This page opens the market again by
        itself.
      </p>
      <p className="mt-8">
        <ButtonLink to={paths.home} kind="quiet">
          To the home page
        </ButtonLink>
      </p>
    </PlainPage>
  );
}
