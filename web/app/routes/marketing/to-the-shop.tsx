import { toTheShop as chest } from "#brand/pictures";
import { PageHero } from "~/components/site/page-hero";
import { pageMeta } from "~/components/site/page-meta";
import { deferred } from "~/lib/deferred";

/** Loaded lazily: the address and the session are known in the browser only. */
const HandOver = deferred(async () => ({ default: (await import("~/features/webstore/components/hand-over")).HandOver }));

const title = "To the shop";

export const meta = () =>
  pageMeta(title, "The shop asks who you are. See what it would be told, and decide: nothing is handed over before you press the button.", {
    index: false,
  });

/** The page to which a shop sends players to identify them. It hands nothing over without a press. */
export default function ToTheShop() {
  return (
    <PageHero
      heading={title}
      lead="A shop that wants to know who you are sends you here. Nothing is handed over before you press the button."
      picture={{ src: chest, width: 600, height: 800, className: "max-lg:max-h-40" }}
    >
      <div className="mt-8 min-h-72 max-w-[34rem]">
        <HandOver />
      </div>
    </PageHero>
  );
}
