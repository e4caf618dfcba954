import { pageMeta } from "~/components/site/page-meta";

export const meta = () =>
  pageMeta("Not available here", "This site cannot be offered in the country you seem to be in. What you own stays yours on a public chain.", { index: false });

/** Shown where the law does not let us serve. */
export default function UnauthorizedCountry() {
  return (
    <div className="mx-auto grid max-w-3xl gap-6 px-4 pb-10 pt-20 sm:px-8 lg:pt-28">
      <h1 className="display text-[clamp(3.5rem,9vw,7.5rem)] leading-[0.88]">The gates are closed here</h1>
      <p className="max-w-md text-lg text-bone-muted">
        The law does not let us offer this site in the country you seem to be in. What you own stays yours: it is on a public chain, not with us.
      </p>
    </div>
  );
}
