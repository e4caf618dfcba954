import { href } from "react-router";
import { odds as pack } from "#brand/pictures";
import { PageHero } from "~/components/site/page-hero";
import { pageMeta } from "~/components/site/page-meta";
import { TextLink } from "~/components/ui/link";
import { deferred } from "~/lib/deferred";
import { paths } from "~/lib/paths";

/** Loaded lazily: what it shows comes from the server. */
const Odds = deferred(
  async () => ({ default: (await import("~/features/packs/draw/components/odds")).Odds }),
  <div className="min-h-[150svh]" />,
);

export const meta = () =>
  pageMeta(
    "The odds of packs",
    "What each kind of pack can hold and how likely it is, next to what was really drawn so far: every edition of every pack.",
  );

/** The odds of packs, and what was drawn. */
export default function OddsRoute() {
  return (
    <>
      <PageHero
        caption="Packs"
        heading="The odds of packs"
        lead="Every drop with its chance, and what was really drawn so far. The same odds hold for everybody."
        picture={{ src: pack, width: 680, height: 740, className: "max-w-md" }}
      />
      <section className="mx-auto grid max-w-[100rem] gap-x-14 gap-y-8 px-4 pt-14 sm:px-8 md:grid-cols-3 lg:pt-20">
        <p>
          Each edition of a pack has a table of drops. Its SHA-256 is fixed on the chain before the first pack of the edition is sold, and
          never changes. Other odds are another edition.
        </p>
        <p>
          Neither you nor the portal chooses the outcome. The block in which a pack is burned, or in which the record of its payment is
          anchored, names a round of a public beacon that has not been published yet, and that round decides. Each opening has a page on
          which your own browser repeats the draw, and <TextLink to={href("/packs/verify")}>you can check all of it yourself</TextLink>.
        </p>
        <p>
          Read the <TextLink to={paths.packTerms}>terms of packs</TextLink> and the <TextLink to={paths.terms}>terms of use</TextLink>{" "}
          before you buy a pack. Spend only what you can lose without noticing.
        </p>
      </section>
      <Odds />
    </>
  );
}
