import { useInfiniteQuery } from "@tanstack/react-query";
import { OwnPage } from "~/components/site/own-page";
import { ButtonLink } from "~/components/ui/button";
import { More } from "~/components/ui/more";
import { isRarity, rarities } from "~/components/ui/rarity";
import { DidNotLoad, EmptyState, Skeleton } from "~/components/ui/states";
import { paths } from "~/lib/paths";
import { tokenKey } from "~/lib/token";
import { type Holding, holdingsQuery } from "../queries";
import { HoldingCard } from "./holding-card";

/** The traits shown of an immortal, in this order. */
const told = ["Calling", "Post", "Weapon", "Offhand", "Material"];

const rank = ({ metadata: { rarity } }: Holding) => (isRarity(rarity) ? rarities.indexOf(rarity) : -1);

const looks = {
  item:
    "grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] gap-5 border-t border-bronze-dim pt-5 sm:gap-8 " +
    "only:max-sm:grid-cols-1 only:lg:gap-16 only:lg:pt-10",
  picture: "aspect-[3/4]",
  name: "sm:text-4xl group-only:lg:text-[clamp(3.5rem,7.5vw,7rem)]",
};

function Immortal({ holding }: { holding: Holding }) {
  const { wallet, metadata } = holding;
  const [name = metadata.name, epithet] = metadata.name.split(/, (.*)/);
  const traits = told.flatMap((trait) => metadata.attributes.filter((a) => a.trait_type === trait));
  return (
    <HoldingCard holding={holding} name={name} looks={looks}>
      {epithet && <p className="mt-1 text-bone-muted group-only:lg:mt-3 group-only:lg:text-xl">{epithet}</p>}
      {wallet === "verified" && <p className="mt-1 text-bone-muted">In your own wallet</p>}
      <dl
        className={
          "mt-4 grid gap-y-1.5 group-only:lg:mt-10 group-only:lg:gap-y-0 group-only:lg:[&>div]:border-t " +
          "group-only:lg:[&>div]:border-line group-only:lg:[&>div]:py-3"
        }
      >
        {traits.map(({ trait_type, value }) => (
          <div key={`${trait_type}:${value}`} className="grid grid-cols-[5.5rem_1fr] items-baseline gap-2 max-sm:grid-cols-1 max-sm:gap-0">
            <dt className="caption text-bone-muted">{trait_type}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </HoldingCard>
  );
}

const roll = "grid grid-cols-1 gap-x-14 gap-y-14 lg:grid-cols-2";

function Roll() {
  const query = useInfiniteQuery(holdingsQuery("listImmortals"));
  const { data, error, refetch } = query;
  if (!data && error) return <DidNotLoad what="Your immortals" error={error} onRetry={refetch} />;
  if (!data) {
    return (
      <div className={roll} aria-busy="true">
        <Skeleton className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] gap-5 bg-transparent pt-5 sm:gap-8">
          <div className="aspect-[3/4] rounded bg-night-1" />
        </Skeleton>
      </div>
    );
  }
  const immortals = data.pages.flatMap((page) => [...page.items].sort((a, b) => rank(b) - rank(a))); // what is being read stays in place
  if (!immortals.length) {
    return (
      <EmptyState
        title="You have no immortals"
        action={
          <ButtonLink to={paths.immortalSiege} kind="quiet">
            About immortals
          </ButtonLink>
        }
      >
        Immortals are on the main chain. One that comes into your wallet appears here by itself.
      </EmptyState>
    );
  }
  return (
    <>
      <ul className={roll}>
        {immortals.map((holding) => (
          <Immortal key={`${holding.wallet} ${tokenKey(holding)}`} holding={holding} />
        ))}
      </ul>
      <More query={query} className="mt-12" />
    </>
  );
}

/** The player's immortals, rarest first, with what they carry. */
export function Immortals() {
  return (
    <OwnPage
      caption="The roll of the wall"
      heading="My immortals"
      lead="Your immortals, their callings and what they carry. They are for Immortal Siege, which opens later."
    >
      <Roll />
    </OwnPage>
  );
}
