import { lazy, Suspense } from "react";
import { PageHero } from "~/components/site/page-hero";
import { pageMeta } from "~/components/site/page-meta";
import { TextLink } from "~/components/ui/link";
import { paths } from "~/lib/paths";
import pack from "~art/pack-god.svg";

/** Loaded lazily: what it shows comes from the server. */
const Odds = lazy(() => import("~/features/packs/fairness/components/odds").then(({ Odds }) => ({ default: Odds })));

export const meta = () =>
  pageMeta("The odds of packs", "What each kind of pack can hold and how likely it is, next to what was really drawn so far: every edition of every table.");

/** The odds of packs, and what was drawn. */
export default function OddsRoute() {
  return (
    <>
      <PageHero
        caption="King of Destiny · Packs"
        heading="The odds of packs"
        lead="Every drop with its chance, and what was really drawn so far. The same odds hold for everybody."
        picture={{ src: pack, width: 680, height: 740, className: "max-w-md" }}
      />
      <section className="mx-auto grid max-w-[100rem] gap-x-14 gap-y-8 px-4 pt-14 sm:px-8 md:grid-cols-3 lg:pt-20">
        <p>
          Each pack is of an edition, which has a table of drops. A table is never changed: before packs of an edition are sold, the SHA-256 of its table is
          fixed on a chain, and a pack keeps its edition for good.
        </p>
        <p>
          Neither you nor the portal chooses the outcome. Burning a pack, or paying for one in the webstore, names a round of a public beacon that has not been
          published yet, and that round decides. Each opening has a page on which your own browser repeats the draw.
        </p>
        <p>
          Read the <TextLink to={paths.kodTerms}>terms of King of Destiny</TextLink> and the <TextLink to={paths.terms}>terms of use</TextLink> before you buy a
          pack. Spend only what you can lose without noticing.
        </p>
      </section>
      <Suspense fallback={<div className="min-h-[150svh]" />}>
        <Odds />
      </Suspense>
    </>
  );
}
