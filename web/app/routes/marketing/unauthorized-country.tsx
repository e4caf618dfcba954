import { unauthorizedCountry as shut } from "#brand/pictures";
import { PageHero } from "~/components/site/page-hero";
import { pageMeta } from "~/components/site/page-meta";
import { ButtonLink } from "~/components/ui/button";
import { paths } from "~/lib/paths";

export const meta = () =>
  pageMeta(
    "Not available here",
    "This site cannot be offered in the country you seem to be in. What you own stays yours on a public chain.",
    { index: false },
  );

/** Shown in forbidden countries. It links to the pages that are available there. */
export default function UnauthorizedCountry() {
  return (
    <PageHero
      caption="The gates are closed here"
      heading="Not available in your country"
      lead={
        "The law does not let us offer this site in the country you seem to be in. What you own stays yours: it is on a " +
        "public chain, not with us."
      }
      picture={{ src: shut, width: 1600, height: 900, className: "object-[70%_50%]" }}
      actions={
        <>
          <ButtonLink to={paths.terms} kind="quiet">
            Read the terms
          </ButtonLink>
          <ButtonLink to={paths.privacy} kind="quiet">
            Privacy policy
          </ButtonLink>
        </>
      }
    />
  );
}
