import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { OwnPage } from "~/components/site/own-page";
import { TextLink } from "~/components/ui/link";
import { FailedLine, Skeleton } from "~/components/ui/states";
import { plural } from "~/lib/format";
import { paths } from "~/lib/paths";
import { aboard } from "../arks";
import { arksConfigQuery, currenciesQuery, followerCodes, holdingsQuery, sumOf, tokenCodes } from "../queries";
import { DidNotLoad } from "./failed";

interface PurseProps {
  of: "followers" | "tokens";
  heading: string;
  lead: string;
  /** What one of them is called. */
  word: string;
}

/** What more would come out of the arks that the player holds. */
function Aboard({ of, word }: Pick<PurseProps, "of" | "word">) {
  const arks = useInfiniteQuery(holdingsQuery("listArks"));
  const config = useQuery(arksConfigQuery);
  const failed = [arks, config].find((query) => query.error && !query.data);
  if (failed) {
    return (
      <FailedLine onRetry={() => Promise.all([arks.error && arks.refetch(), config.error && config.refetch()])}>What your arks carry did not load.</FailedLine>
    );
  }
  if (!arks.data || !config.data) return <span className="invisible">…</span>;
  const more = aboard(
    arks.data.pages.flatMap((page) => page.items),
    config.data,
    of,
  );
  const held = arks.data.pages[0]?.total ?? 0;
  if (!held) return <>You have no ark at present. What arks carry is in the tariff.</>;
  return (
    <>
      Your {plural(held, "ark")} would give {plural(more, word)} more, by the tariff of today.
    </>
  );
}

/** A purse that is kept by kind: the sum, and what it is the sum of. */
export function Purse({ of, heading, lead, word }: PurseProps) {
  const { data, error, refetch } = useQuery(currenciesQuery);
  const codes = of === "followers" ? followerCodes : tokenCodes;
  return (
    <OwnPage heading={heading} lead={lead}>
      {!data && error ? (
        <DidNotLoad what={of === "followers" ? "Your followers" : "Your tokens"} error={error} onRetry={refetch} />
      ) : (
        <div className="grid grid-cols-1 gap-x-16 gap-y-12 lg:grid-cols-[1fr_1.65fr] lg:items-end">
          <p>
            <span className="caption block text-bone-muted">In all</span>
            <span className="display figures mt-2 block min-h-[1em] text-[clamp(6rem,16vw,13rem)] leading-[0.85] text-bronze">
              {data ? sumOf(data, codes).toLocaleString("en") : <span className="invisible">0</span>}
            </span>
          </p>
          <dl className="grid grid-cols-2 border-t border-bronze-dim sm:grid-cols-4">
            {codes.map((code) => (
              <div key={code} className="border-bronze-dim pb-4 pr-4 pt-5 max-sm:border-b sm:[&:not(:first-child)]:border-l sm:[&:not(:first-child)]:pl-5">
                <dt className="caption text-bone-muted">
                  Kind <span className="normal-case">{code}</span>
                </dt>
                <dd className="display figures mt-2 text-5xl">{data ? (data[code] ?? 0).toLocaleString("en") : <Skeleton className="h-[0.94em] w-16" />}</dd>
              </div>
            ))}
          </dl>
        </div>
      )}
      <p className="mt-14 max-w-[36rem] border-l border-bronze-dim pl-6">
        <Aboard of={of} word={word} /> <TextLink to={paths.arks}>See your arks</TextLink>
      </p>
      <p className="mt-6 max-w-[36rem] text-bone-muted">
        The kinds stay apart: a game that asks for seven of one takes no other. They are numbers in our book, earned in games and from arks. Nobody can buy,
        sell or send them.
      </p>
    </OwnPage>
  );
}
