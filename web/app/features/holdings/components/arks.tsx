import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { OwnPage } from "~/components/site/own-page";
import { ButtonLink } from "~/components/ui/button";
import { TextLink } from "~/components/ui/link";
import { ScrollArea } from "~/components/ui/scroll-area";
import { DidNotLoad, EmptyState, Skeleton } from "~/components/ui/states";
import { Burns } from "~/features/burning/components/burns";
import { userArks } from "~/features/realtime/outcomes";
import { amountsText } from "~/features/reward/components/amounts";
import { type Reward, useRewards } from "~/features/reward/queries";
import { cn } from "~/lib/cn";
import { currenciesOf } from "~/lib/currencies";
import { plural } from "~/lib/format";
import { paths } from "~/lib/paths";
import { useStore } from "~/lib/store";
import { day } from "~/lib/time";
import { keepArkResults, type Load, sumOfLoad } from "../arks";
import { burnablesOf } from "../burnables";
import { arksConfigQuery, type Holding, holdingsQuery } from "../queries";
import { HoldingCard } from "./holding-card";

const arkLooks = {
  item: "only:lg:grid only:lg:gap-x-16",
  picture: "aspect-[600/640] group-only:lg:aspect-[3/4]",
  text: "mt-4 border-t border-bronze-dim pt-4",
  name: "group-only:lg:text-[clamp(3rem,6vw,5.5rem)]",
};

function Ark({ ark, load }: { ark: Holding; load: Load | undefined }) {
  return (
    <HoldingCard holding={ark} name={ark.metadata.name} looks={arkLooks}>
      <p className="figures mt-1 text-bone-muted">
        {ark.amount === "1" ? "One" : Number(ark.amount).toLocaleString("en")},{" "}
        {ark.wallet === "verified" ? "in your own wallet" : "in your smart wallet"}
      </p>
      {load && (
        <p className="figures mt-2 group-only:lg:mt-6 group-only:lg:max-w-[22rem] group-only:lg:text-2xl">
          {plural(sumOfLoad(load, "followers"), "follower")} and {plural(sumOfLoad(load, "tokens"), "token")} aboard
          {ark.amount === "1" ? "" : " each"}
        </p>
      )}
    </HoldingCard>
  );
}

function ArkList() {
  const { data, error, refetch } = useInfiniteQuery(holdingsQuery("listArks"));
  // What is above needs the tariff: until it has come or failed, arks would move when it does.
  const { data: config, isPending } = useQuery(arksConfigQuery);
  if (!data && error) return <DidNotLoad what="Your arks" error={error} onRetry={refetch} />;
  const grid = "grid grid-cols-1 gap-x-8 gap-y-12 sm:grid-cols-2 lg:grid-cols-4";
  if (!data || isPending) {
    return (
      // As high as the screen: content below must not be visible before its position is known.
      <div className={cn(grid, "min-h-svh content-start")} aria-busy="true">
        <Skeleton className="aspect-[600/640]" />
      </div>
    );
  }
  const arks = data.pages.flatMap((page) => page.items);
  if (!arks.length) {
    return (
      <EmptyState
        title="You have no arks"
        action={
          <ButtonLink to={paths.shipwright} kind="quiet">
            About arks
          </ButtonLink>
        }
      >
        Arks are on the main chain. One that comes into your wallet appears here by itself.
      </EmptyState>
    );
  }
  return (
    <ul className={grid}>
      {arks.map((ark) => (
        <Ark key={`${ark.wallet} ${ark.tokenId}`} ark={ark} load={config?.arks.find(({ tokenId }) => tokenId === ark.tokenId)} />
      ))}
    </ul>
  );
}

function Tariff() {
  const { data, error, refetch } = useQuery(arksConfigQuery);
  if (!data && error) return <DidNotLoad what="The tariff" error={error} onRetry={refetch} />;
  const [followers, tokens] = [currenciesOf("followers"), currenciesOf("tokens")];
  const kinds = [...followers, ...tokens];
  const isFirst = (index: number) => index === 0 || index === followers.length;
  const amount = (load: Load, code: string) =>
    (load.followers as Record<string, number>)[code] ?? (load.tokens as Record<string, number>)[code];
  return (
    <>
      <ScrollArea aria-label="Tariff">
        <table className="figures w-full min-w-[44rem] border-b border-line text-left">
          <caption className="sr-only">What each ark gives when it is broken up, by kind</caption>
          <thead>
            <tr className="caption text-bone-muted">
              <td />
              <th scope="colgroup" colSpan={followers.length} className="border-l border-line px-3 py-2">
                Followers
              </th>
              <th scope="colgroup" colSpan={tokens.length} className="border-l border-line px-3 py-2">
                Tokens
              </th>
            </tr>
            <tr className="caption text-bone-muted">
              <th scope="col" className="py-2 pr-3">
                Ark
              </th>
              {kinds.map(({ code, name, short = name }, index) => (
                <th key={code} scope="col" className={`px-3 py-2 text-right align-bottom ${isFirst(index) ? "border-l border-line" : ""}`}>
                  {short}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {(data?.arks ?? []).map((load) => (
              <tr key={load.tokenId} className="border-t border-line">
                <th scope="row" className="display py-3 pr-3 text-xl font-normal">
                  {load.name}
                </th>
                {kinds.map(({ code }, index) => (
                  <td key={code} className={`px-3 py-3 text-right ${isFirst(index) ? "border-l border-line" : ""}`}>
                    {amount(load, code) ?? <span className="text-bone-muted">–</span>}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
      <p className="mt-4 text-bone-muted">
        {data?.version
          ? `Version ${data.version} of the tariff. It may change between seasons. ` +
            "What counts is the version at the moment you break up the ark."
          : " "}
      </p>
    </>
  );
}

/** What a breaking gives in all. */
const cargoOf = (load: Load) => ({ ...load.followers, ...load.tokens });

/** Says "2 × Cedar Ark" of arks of a kind, by its token id. */
function useCount() {
  const { data } = useQuery(arksConfigQuery);
  const nameOf = (id: string) => data?.arks.find(({ tokenId }) => tokenId === id)?.name ?? `Ark ${id}`;
  return ({ tokenId, amount }: Pick<Reward, "tokenId" | "amount">) => (amount > 1 ? `${amount} × ` : "") + nameOf(tokenId);
}

/** Breaks up arks: the choice, and what became of the last ones. */
function ArkBurning() {
  const countOf = useCount();
  const { data } = useInfiniteQuery(holdingsQuery("listArks"));
  const { data: config } = useQuery(arksConfigQuery);
  const burnables = burnablesOf(data?.pages.flatMap((page) => page.items) ?? [], ({ tokenId }) => {
    const load = config?.arks.find((ark) => ark.tokenId === tokenId);
    return load && { gives: cargoOf(load) };
  });
  return (
    <Burns origin="ark" chain="mainChain" burnables={burnables} title={countOf} className="mb-16">
      <TextLink to={paths.followers}>Your followers</TextLink>
      <TextLink to={paths.tokens}>Your tokens</TextLink>
    </Burns>
  );
}

/** What came out of arks before, by transaction; nothing if there were none. */
function Log() {
  const countOf = useCount();
  const { data } = useRewards({ origin: "ark" });
  const processed = useStore(userArks, (arks) => arks.processedTransactions);
  useEffect(() => {
    if (data) keepArkResults(data);
  }, [data]);
  const entries = (data ?? []).filter(
    ({ txId }, index) => txId && processed[txId] && data?.findIndex((other) => other.txId === txId) === index,
  );
  if (!entries.length) return null;
  return (
    <section aria-labelledby="log" className="mt-20 lg:mt-28">
      <h2 id="log" className="display mb-8 text-4xl">
        What your arks gave
      </h2>
      <ul className="border-b border-line">
        {entries.map(({ txId = "", steps }) => {
          const result = processed[txId];
          const at = steps.find(({ step }) => step === "burned")?.at;
          const names = (data ?? []).filter((reward) => reward.txId === txId).map(countOf);
          return (
            <li key={txId} className="grid gap-x-8 gap-y-1 border-t border-line py-4 sm:grid-cols-[12rem_1fr_2fr]">
              <span className="text-bone-muted">{at && <time dateTime={at}>{day(at)}</time>}</span>
              <span>{names.join(", ")}</span>
              <span className="figures">
                {result?.success ? amountsText(result.rewards) : "Nothing could be given. We are looking into it."}
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** The player's arks, the content of each, and the tariff. */
export function Arks() {
  return (
    <OwnPage
      caption="Moored and afloat"
      heading="My arks"
      lead="Your arks, and what each gives when you break it up. An ark that is broken up is gone for good."
    >
      <ArkBurning />
      <ArkList />
      <section aria-labelledby="tariff" className="mt-20 lg:mt-28">
        <h2 id="tariff" className="display mb-8 text-4xl">
          The tariff
        </h2>
        <Tariff />
      </section>
      <Log />
    </OwnPage>
  );
}
