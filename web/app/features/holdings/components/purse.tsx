import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { marks } from "#brand/marks";
import { followers, tokens } from "#brand/pictures";
import { OwnPage } from "~/components/site/own-page";
import { FailedLine } from "~/components/ui/failed-line";
import { TextLink } from "~/components/ui/link";
import { DidNotLoad, Skeleton } from "~/components/ui/states";
import { currenciesOf } from "~/lib/currencies";
import { plural } from "~/lib/format";
import { has } from "~/lib/has";
import { paths } from "~/lib/paths";
import { aboard } from "../arks";
import { arksConfigQuery, currenciesQuery, holdingsQuery, sumOf } from "../queries";

interface PurseProps {
  of: "followers" | "tokens";
  caption: string;
  heading: string;
  lead: string;
}

/** What the held arks would add. */
function Aboard({ of }: Pick<PurseProps, "of">) {
  const arks = useInfiniteQuery(holdingsQuery("listArks"));
  const config = useQuery(arksConfigQuery);
  const failed = [arks, config].find((query) => query.error && !query.data);
  if (failed) {
    return (
      <FailedLine onRetry={() => Promise.all([arks.error && arks.refetch(), config.error && config.refetch()])}>
        What your arks carry did not load.
      </FailedLine>
    );
  }
  if (!arks.data || !config.data) return null;
  const more = aboard(
    arks.data.pages.flatMap((page) => page.items),
    config.data,
    of,
  );
  const held = arks.data.pages[0]?.total ?? 0;
  if (!held) return <>You have no arks. What arks give is in the tariff.</>;
  return (
    <>
      Your {held === 1 ? "ark" : plural(held, "ark")} would give {plural(more, of === "followers" ? "follower" : "token")} more, by the
      tariff of today.
    </>
  );
}

/** A kind's mark, as on a coin. */
function Coin({ mark }: { mark: string }) {
  return (
    <svg viewBox="0 0 96 96" fill="none" strokeLinecap="round" strokeLinejoin="round" aria-hidden="true" className="size-24 sm:size-28">
      <circle cx="48" cy="48" r="46" fill="var(--color-night-2)" stroke="var(--color-bronze)" strokeWidth="1.5" />
      <circle cx="48" cy="48" r="40" stroke="var(--color-bronze-dim)" strokeWidth="5" strokeDasharray="1.5 5.500" />
      <path d={mark} transform="translate(24 24)" stroke="var(--color-bronze)" strokeWidth="2" />
    </svg>
  );
}

/** A purse with several kinds: the sum, its parts, and the ship that would add more. */
export function Purse({ of, caption, heading, lead }: PurseProps) {
  const { data, error, refetch } = useQuery(currenciesQuery);
  const kinds = currenciesOf(of);
  const sum =
    data &&
    sumOf(
      data,
      kinds.map(({ code }) => code),
    );
  return (
    <OwnPage caption={caption} heading={heading} lead={lead}>
      {!data && error ? (
        <DidNotLoad what={of === "followers" ? "Your followers" : "Your tokens"} error={error} onRetry={refetch} />
      ) : (
        <div className="border-t border-bronze-dim lg:grid lg:grid-cols-[1fr_1.65fr]">
          <p className="flex flex-col justify-between py-8 lg:border-r lg:border-line lg:pr-10">
            <span className="caption block text-bone-muted">Total</span>
            <span className="display figures mt-6 block min-h-[1em] text-[clamp(7rem,19vw,17rem)] leading-[0.8] text-bronze">
              {sum?.toLocaleString("en") ?? <span className="invisible">0</span>}
            </span>
          </p>
          <dl className="grid grid-cols-1 sm:grid-cols-2">
            {kinds.map(({ code, name }) => (
              <div
                key={code}
                className={
                  "grid grid-cols-[auto_1fr] items-center gap-x-6 border-t border-line py-7 sm:odd:border-r sm:even:pl-8 " +
                  "lg:odd:pl-8 lg:[&:nth-child(-n+2)]:border-t-0"
                }
              >
                <dt className="col-start-2 row-start-2 mt-1 self-start">{name}</dt>
                <dd className="display figures col-start-2 row-start-1 self-end text-5xl">
                  {data ? (data[code] ?? 0).toLocaleString("en") : <Skeleton className="h-[0.94em] w-16" />}
                </dd>
                <dd aria-hidden="true" className="col-start-1 row-span-2 row-start-1">
                  <Coin mark={marks[code] ?? ""} />
                </dd>
              </div>
            ))}
          </dl>
        </div>
      )}
      <section className="relative isolate mt-4 grid grid-cols-1 gap-x-16 border-t border-bronze-dim lg:grid-cols-[1fr_1.65fr]">
        <div className="py-10 lg:pb-16">
          {/* The sentence's maximum height, so that nothing shifts. */}
          {has.arks && (
            <>
              <div className="min-h-[2lh] text-lg">
                <Aboard of={of} />
              </div>
              <p className="mt-3">
                <TextLink to={paths.arks}>See your arks</TextLink>
              </p>
            </>
          )}
          <p className="mt-6 text-bone-muted">
            The kinds stay apart: a game that asks for seven of one takes no other. They are balances of your account, earned in games and
            from arks. Nobody can buy, sell or send them.
          </p>
        </div>
        <img
          src={of === "followers" ? followers : tokens}
          alt=""
          width={680}
          height={740}
          loading="lazy"
          decoding="async"
          className={
            "-z-10 h-80 w-full object-contain object-bottom [mask-image:linear-gradient(#000_80%,transparent_94%)] " +
            "lg:h-[32rem] lg:object-right-bottom"
          }
        />
      </section>
    </OwnPage>
  );
}
