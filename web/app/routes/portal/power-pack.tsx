import { useInfiniteQuery } from "@tanstack/react-query";
import { Later } from "~/components/site/later";
import { pageMeta } from "~/components/site/page-meta";
import { ButtonLink } from "~/components/ui/button";
import { RarityBadge } from "~/components/ui/rarity";
import { DidNotLoad, FailedState } from "~/components/ui/states";
import { powerPacks } from "~/content/collections/vessels";
import { loadFlags } from "~/features/flags/poll";
import { useFlag, useFlagsMissing } from "~/features/flags/store";
import { holdingsQuery } from "~/features/inventory/queries";
import { cn } from "~/lib/cn";
import { paths } from "~/lib/paths";
import spark from "~art/power-spark.svg";
import surge from "~art/power-surge.svg";
import tempest from "~art/power-tempest.svg";

export const meta = () =>
  pageMeta("Power packs", "The power packs a player holds: Spark, Surge and Tempest, and what is known of each. Opening one is not possible yet.", {
    index: false,
  });

/** In the order of the packs: the stronger, the larger. */
const pictures = [
  { src: spark, size: "-mb-[9%] w-[58%]" },
  { src: surge, size: "-mb-[11.5%] w-[82%]" },
  { src: tempest, size: "-mb-[8.5%] w-full" },
];

/** How many of each kind the player holds, by token id. */
function useHeld() {
  const { data, error, refetch } = useInfiniteQuery(holdingsQuery("listPowerPacks"));
  const items = data?.pages.flatMap((page) => page.items);
  // Each of the player's wallets may hold a pack.
  const held = items && ((id: string) => items.reduce((sum, { tokenId, amount }) => (tokenId === id ? sum + Number(amount) : sum), 0));
  return { held, error: held ? null : error, refetch };
}

/** Replaces the packs while they are switched off. */
function SwitchedOff() {
  return (
    <div className="mx-auto max-w-[100rem] px-4 pb-8 pt-10 sm:px-8 lg:pt-20">
      <h1 className="display text-hero max-w-[2.83em]">Put away safely</h1>
      <p className="mt-8 max-w-[30rem] text-lg">
        Power packs are switched off just now. Those you hold are on the chain as before, and come back into view when the switch is turned.
      </p>
      <ButtonLink to={paths.inventory} kind="quiet" className="mt-8">
        See your inventory
      </ButtonLink>
    </div>
  );
}

/** Replaces the packs while it is unknown whether they are switched on. */
function NotKnown() {
  return (
    <div className="mx-auto max-w-[100rem] px-4 pb-8 pt-10 sm:px-8 lg:pt-20">
      <h1 className="display text-hero mb-10 max-w-[2.83em]">Power packs</h1>
      <FailedState title="Your power packs did not load" onRetry={loadFlags}>
        We could not find out whether they are switched on. Those you hold are safe on the chain.
      </FailedState>
    </div>
  );
}

/** Power packs, until they can be opened; behind their flag. */
export default function PowerPacks() {
  const missing = useFlagsMissing();
  const on = useFlag("power_packs");
  if (missing) return <NotKnown />;
  return on === false ? <SwitchedOff /> : <Packs />;
}

function Packs() {
  const { held, error, refetch } = useHeld();
  return (
    <div className="mx-auto max-w-[100rem] px-4 pb-8 pt-10 sm:px-8 lg:pt-20">
      <div className="grid grid-cols-1 gap-x-16 gap-y-8 lg:grid-cols-[1.65fr_1fr] lg:items-end">
        <h1 className="display text-hero max-w-[2.83em]">Best left sealed</h1>
        <div>
          <p className="max-w-[30rem] text-lg">
            A power pack is lightning put by for later. What comes out of one has not been decided, so none can be opened, and nothing happens to yours in the
            meantime.
          </p>
          <Later className="mt-8">What each pack holds will be written here before the first seal is broken.</Later>
        </div>
      </div>
      {error && (
        <div className="mt-12">
          <DidNotLoad what="How many you hold" error={error} onRetry={refetch} />
        </div>
      )}
      <ul className="mt-14 grid grid-cols-1 items-end gap-x-4 gap-y-12 sm:grid-cols-3 lg:mt-20">
        {powerPacks.map((pack, index) => (
          <li key={pack.tokenId}>
            <img
              src={pictures[index]?.src}
              alt=""
              width={680}
              height={740}
              decoding="async"
              className={cn("h-auto max-sm:mb-0 max-sm:max-w-72", pictures[index]?.size)}
            />
            <div className="border-t border-bronze-dim pt-5">
              <RarityBadge rarity={pack.rarity} />
              <h2 className="display mt-1.5 text-4xl">{pack.name}</h2>
              <p className="mt-2 text-bone-muted">{pack.text}</p>
              <p className="figures mt-3 min-h-[1lh]">{held && `You hold ${held(pack.tokenId) ? held(pack.tokenId).toLocaleString("en") : "none"}.`}</p>
            </div>
          </li>
        ))}
      </ul>
      <p className="mt-16 max-w-[36rem]">
        Yours lie on the main chain, so they cannot be sold on our market. Your wallet could burn one, since it is yours to burn. Please don't: nothing would
        come out, and it would be gone.
      </p>
      <ButtonLink to={paths.inventory} kind="quiet" className="mt-8">
        See your inventory
      </ButtonLink>
    </div>
  );
}
