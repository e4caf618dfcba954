import { useQuery } from "@tanstack/react-query";
import { FailedLine } from "~/components/ui/failed-line";
import { linkLook, TextLink } from "~/components/ui/link";
import { isRarity, RarityBadge, rarities } from "~/components/ui/rarity";
import { percent } from "~/features/packs/draw/chance";
import { DropTables } from "~/features/packs/draw/components/drop-tables";
import { packName } from "~/features/packs/draw/kinds";
import { oddsQuery } from "~/features/packs/draw/queries";
import { columnsOf, rulesOf } from "~/features/packs/draw/shares";
import { utc } from "~/features/packs/draw/steps";
import { paths } from "~/lib/paths";
import type { Variation } from "../queries";

/** The packs of a variation: their kind, and their token if they are tokens that the player opens. */
export interface Packs {
  kind: string;
  token?: string | undefined;
}

/** The packs whose odds belong to a variation; undefined for one without packs. */
export function packsOf({ opens, odds, gives }: Variation): Packs | undefined {
  if (opens) return { kind: opens };
  return odds ? { kind: odds, token: gives.find(({ kind }) => kind === "token")?.tokenId } : undefined;
}

/** The packs of several variations, each once, with a key. */
export function packsOfAll(variations: Variation[]): [key: string, packs: Packs][] {
  return [...new Map(variations.flatMap((one) => packsOf(one) ?? []).map((one) => [`${one.kind} ${one.token ?? ""}`, one]))];
}

/** The table by which packs are drawn: that of their token, or of the edition that is on sale. */
function useTable({ kind, token }: Packs) {
  const { data, error, refetch } = useQuery(oddsQuery);
  const editions = data?.tables.filter((table) => table.kind === kind);
  const table =
    token === undefined ? (editions?.find(({ onSale }) => onSale) ?? editions?.[0]) : editions?.find((one) => one.token === token);
  return { table, known: data !== undefined, error, refetch };
}

const unknown = "The odds of this pack are not known: do not buy it now.";
const unfixed = "These odds are not fixed yet, so they could change: do not buy this pack now.";

/** The chance of each rarity of what is got, beside a pack's price. */
export function Chances({ packs }: { packs: Packs }) {
  const { table, known, error, refetch } = useTable(packs);
  if (!known && error) return <FailedLine onRetry={refetch}>The odds did not load.</FailedLine>;
  if (known && !table) return <p className="text-sm text-bone-muted">{unknown}</p>;
  const columns = table ? columnsOf(table) : [];
  // Until the odds are known, each rarity has its line.
  const lines = table?.rarities ?? rarities.map((rarity) => ({ rarity, promised: undefined, effective: 0, now: 0 }));
  return (
    <div className="figures text-sm">
      {table && !table.fixed && (
        <p role="note" className="mb-2 border-l-2 border-ember pl-3">
          {unfixed}
        </p>
      )}
      <dl aria-busy={!known}>
        {lines.map((shares) => (
          <div key={shares.rarity} className="flex min-h-[1.75rem] flex-wrap items-center justify-between gap-x-2 border-b border-line">
            <dt className="flex">{isRarity(shares.rarity) && <RarityBadge rarity={shares.rarity} />}</dt>
            <dd>
              {shares.promised === undefined ? "" : percent(shares.promised)}
              {columns.map(({ of, name }) => (
                <span key={of} className="text-bone-muted">
                  {" "}
                  · {percent(shares[of])} {name.toLowerCase()}
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** What packs can hold: every drop with its chance. */
export function PackOdds({ packs }: { packs: Packs }) {
  const { table, known, error, refetch } = useTable(packs);
  const { kind, token } = packs;
  return (
    <details className="border-t border-line">
      <summary className="flex min-h-12 cursor-pointer items-center gap-3">
        <span className={linkLook}>{packName(kind)}: all odds</span>
      </summary>
      <div className="pb-10 pt-2">
        {table ? (
          <>
            <div className="mb-8 grid max-w-[44rem] gap-3">
              <p>
                Edition {table.edition}
                {table.fixed ? `, fixed since ${utc(Date.parse(table.fixed.blockTime) / 1000)}` : ""}.{" "}
                {token === undefined
                  ? "The edition that is on sale when you go to pay counts."
                  : "The pack keeps it: it counts whenever you open the pack."}{" "}
                {!table.fixed && unfixed}
              </p>
              {rulesOf(table).map((rule) => (
                <p key={rule}>{rule}</p>
              ))}
              <p className="text-sm text-bone-muted">
                SHA-256 of its table: <code className="break-all">{table.hash}</code>
              </p>
            </div>
            <DropTables table={table} columns={columnsOf(table)} results={table.results} />
          </>
        ) : !known && error ? (
          <FailedLine onRetry={refetch}>The odds did not load.</FailedLine>
        ) : (
          <p className="min-h-96 text-bone-muted">{known ? unknown : "Loading…"}</p>
        )}
        <TextLink to={paths.odds} className="mt-6 inline-flex min-h-11 items-center">
          All editions, where they are fixed, and what was really drawn
        </TextLink>
      </div>
    </details>
  );
}
