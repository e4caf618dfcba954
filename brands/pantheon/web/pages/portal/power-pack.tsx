import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { powerPacks } from "#brand/content/collections/vessels";
import { pageMeta } from "~/components/site/page-meta";
import { ButtonLink } from "~/components/ui/button";
import { RarityBadge } from "~/components/ui/rarity";
import { DidNotLoad, FailedState } from "~/components/ui/states";
import { Burns } from "~/features/burning/components/burns";
import { Switched } from "~/features/flags/components/switched";
import { loadFlags } from "~/features/flags/poll";
import { useFlag, useFlagsMissing } from "~/features/flags/store";
import { burnablesOf } from "~/features/holdings/burnables";
import { holdingsQuery, powerPacksConfigQuery } from "~/features/holdings/queries";
import { amountsText } from "~/features/reward/components/amounts";
import { cn } from "~/lib/cn";
import { paths } from "~/lib/paths";
import spark from "~art/power-spark.svg";
import surge from "~art/power-surge.svg";
import tempest from "~art/power-tempest.svg";

export const meta = () =>
  pageMeta(
    "Power pack",
    "The power packs a player holds: Spark, Surge and Tempest, what each holds by the tariff of today, and the way to open them.",
    {
      index: false,
    },
  );

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
  return { items: items ?? [], held, error: held ? null : error, refetch };
}

/** Replaces the packs while they are switched off. */
function SwitchedOff() {
  return (
    <div className="mx-auto max-w-[100rem] px-4 pb-8 pt-10 sm:px-8 lg:pt-20">
      <h1 className="display text-hero max-w-[4.96em]">Power packs are off</h1>
      <p className="mt-8 max-w-[30rem] text-lg">
        Power packs are switched off just now. Those you hold are on the chain as before, and are shown here again when they are switched
        on.
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

/** Power packs, behind their flag. */
export default function PowerPacks() {
  const missing = useFlagsMissing();
  const on = useFlag("power_packs");
  if (missing) return <NotKnown />;
  return (
    <Switched on={on} instead={<SwitchedOff />}>
      <Packs />
    </Switched>
  );
}

const nameOf = (id: string) => `${powerPacks.find(({ tokenId }) => tokenId === id)?.name ?? ""} Power Pack`.trim();

/** What each pack holds, by token id. */
function useContents() {
  const { data, error, refetch } = useQuery(powerPacksConfigQuery);
  const contents = (id: string) => {
    const pack = data?.packs.find(({ tokenId }) => tokenId === id);
    return pack && { ig: pack.infiniGold, ne: pack.nectar };
  };
  return { contents, version: data?.version, error: data ? null : error, refetch };
}

function Packs() {
  const { items, held, error, refetch } = useHeld();
  const tariff = useContents();
  const burnables = burnablesOf(items, ({ tokenId }) => {
    const gives = tariff.contents(tokenId);
    return gives && { gives };
  });
  return (
    <div className="mx-auto max-w-[100rem] px-4 pb-8 pt-10 sm:px-8 lg:pt-20">
      <div className="grid grid-cols-1 gap-x-16 gap-y-8 lg:grid-cols-[1.65fr_1fr] lg:items-end">
        <div>
          <p className="caption mb-4 text-bronze">Lightning, put by</p>
          <h1 className="display text-hero max-w-[4.96em]">My power packs</h1>
        </div>
        <div>
          <p className="max-w-[30rem] text-lg">
            Open a power pack to get InfiniGold and nectar. The tariff says how much each kind gives. A pack is used up when it is opened.
          </p>
        </div>
      </div>
      {error && (
        <div className="mt-12">
          <DidNotLoad what="How many you own" error={error} onRetry={refetch} />
        </div>
      )}
      {tariff.error && (
        <div className="mt-12">
          <DidNotLoad what="What the packs hold" error={tariff.error} onRetry={tariff.refetch} />
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
              <p className="figures mt-3 min-h-[1lh] text-lg sm:max-lg:min-h-[2lh]">{amountsText(tariff.contents(pack.tokenId) ?? {})}</p>
              <p className="figures mt-1 min-h-[1lh]">
                {held && `You own ${held(pack.tokenId) ? held(pack.tokenId).toLocaleString("en") : "none"}.`}
              </p>
            </div>
          </li>
        ))}
      </ul>
      <p className="mt-12 max-w-[36rem]">
        Yours are on the main chain, so they cannot be sold on our market. This is version {tariff.version ?? "…"} of the tariff. It may
        change between seasons. What counts is the version at the moment you open the pack.
      </p>
      <ButtonLink to={paths.inventory} kind="quiet" className="mt-8">
        See your inventory
      </ButtonLink>
      <Burns
        origin="power-pack"
        chain="mainChain"
        burnables={burnables}
        title={({ tokenId, amount }) => `${amount > 1 ? `${amount} × ` : ""}${nameOf(tokenId)}`}
        className="mt-12"
      />
    </div>
  );
}
