import { Later } from "~/components/site/later";
import { PageHero } from "~/components/site/page-hero";
import { pageMeta } from "~/components/site/page-meta";
import { ButtonLink } from "~/components/ui/button";
import { paths } from "~/lib/paths";
import chest from "~art/chest.svg";

const title = "To the shop";

export const meta = () =>
  pageMeta(title, "The door between this house and the shop: it tells the shop who is coming. The shop is not connected yet.", { index: false });

/** The page to which a shop sends players to identify them. It opens later, and says so. */
export default function ToTheShop() {
  return (
    <PageHero caption="The shop is next door" heading="The shop opens later" picture={{ src: chest, width: 600, height: 800 }}>
      <Later className="mt-10">
        This is the door through which the shop will learn who is coming. It is not connected yet, and nothing has been told to anyone.
      </Later>
      <ButtonLink to={paths.market} kind="quiet" className="mt-8">
        See what is on the market
      </ButtonLink>
    </PageHero>
  );
}
