import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import { shop } from "#brand/packs";
import { linkLook, TextLink } from "~/components/ui/link";
import { isRarity, RarityBadge } from "~/components/ui/rarity";
import { DidNotLoad, Skeleton } from "~/components/ui/states";
import { configQuery } from "~/features/config/config";
import { cn } from "~/lib/cn";
import { plural } from "~/lib/format";
import { paths } from "~/lib/paths";
import { queryClient } from "~/lib/query";
import { leftText } from "../../items";
import { percent } from "../chance";
import { knownOf } from "../goods";
import { packName, shopPicture } from "../kinds";
import { type Odds as OddsData, oddsQuery, productsQuery, type TableOdds } from "../queries";
import { type Column, columnsOf, rulesOf } from "../shares";
import { fixedFacts, itemName, type Known, noPublicBeacon, utc } from "../steps";
import { DropTables } from "./drop-tables";
import { Facts } from "./facts";
import { Results } from "./results";

/** The drop tables of all packs, and what was drawn by them. */
export function Odds() {
  return (
    <QueryClientProvider client={queryClient}>
      <Loaded />
    </QueryClientProvider>
  );
}

const frame = "mx-auto max-w-[100rem] px-4 sm:px-8";

function Loaded() {
  const { data: odds, error, refetch } = useQuery(oddsQuery);
  if (!odds) {
    return (
      <div className={`${frame} min-h-[150svh] pt-16`} aria-busy={!error}>
        {error ? <DidNotLoad what="The odds" error={error} onRetry={refetch} /> : <Skeleton className="h-[120svh]" />}
      </div>
    );
  }
  const kinds = [...new Set(odds.tables.map(({ kind }) => kind))];
  const inShop = new Set(odds.tables.flatMap(({ kind, inShop }) => (inShop ? [kind] : [])));
  const editionsOf = (kind: string) => odds.tables.filter((table) => table.kind === kind);
  return (
    <div className="min-h-[150svh]">
      {!odds.beacon.quicknet && (
        <div className={`${frame} pt-12`}>
          <p role="note" className="max-w-[44rem] border-l-2 border-ember bg-night-1 px-6 py-4">
            {noPublicBeacon}
          </p>
        </div>
      )}
      {kinds
        .filter((kind) => !inShop.has(kind))
        .map((kind) => (
          <Kind key={kind} kind={kind} editions={editionsOf(kind)} />
        ))}
      {inShop.size > 0 && (
        <div id="destiny-packs" className="mt-24 border-t border-line-strong lg:mt-36">
          <div className={`${frame} pt-12`}>
            <h2 className="display text-4xl sm:text-5xl">{shop.packs}</h2>
            <p className="mt-6 max-w-[44rem]">
              {shop.packs} are sold in the <TextLink to={paths.webstore}>webstore</TextLink> for ordinary money. They are not burned but
              opened when they are paid for, by the edition that was on sale when you went to pay. The payment is recorded in a public log,
              the block of the chain that anchors the record names the beacon's round, and the place in the shop's order is part of the
              draw.
            </p>
          </div>
          {[...inShop].map((kind) => (
            <Kind key={kind} kind={kind} editions={editionsOf(kind)} inShop />
          ))}
        </div>
      )}
      <Drawn odds={odds} kinds={kinds} />
    </div>
  );
}

/** Whether packs of an edition are sold, and since when it is fixed, in words. */
function saleOf({ onSale, fixed }: TableOdds): string {
  const sale = onSale ? "on sale" : "not on sale now";
  return fixed ? `${sale}, fixed since ${utc(Date.parse(fixed.blockTime) / 1000)}` : "not fixed yet";
}

/** A kind of pack: the edition that is sold, and all others. */
function Kind({ kind, editions, inShop = false }: { kind: string; editions: TableOdds[]; inShop?: boolean }) {
  const product = useQuery(productsQuery).data?.find((one) => one.kind === kind);
  const known = knownOf(useQuery(configQuery).data);
  const shown = editions.find(({ onSale }) => onSale) ?? editions.find(({ fixed }) => fixed) ?? editions[0];
  const Heading = inShop ? "h3" : "h2";
  return (
    <section id={kind} className={`${frame} pt-20 lg:pt-28`}>
      <div className="flex flex-wrap items-end gap-x-8 gap-y-4">
        <div className={cn("w-24 lg:w-32", !inShop && "aspect-[3/4]")}>
          {inShop && <img src={shopPicture(kind)} alt="" width={680} height={740} className="h-auto w-full" />}
          {product && <img src={product.image} alt="" width={600} height={800} className="h-auto w-full rounded border border-line" />}
        </div>
        <div>
          <Heading className={`display ${inShop ? "text-3xl sm:text-4xl" : "text-4xl sm:text-5xl"}`}>
            {product?.name ?? packName(kind)}
          </Heading>
          {shown && (
            <p className="mt-3 text-bone-muted">
              Edition {shown.edition}, {saleOf(shown)}
            </p>
          )}
        </div>
      </div>
      {shown && <Edition table={shown} known={known} />}
      {editions
        .filter((table) => table !== shown)
        .map((table) => (
          <details key={table.edition} className="mt-10 border-t border-line pt-4">
            <summary className="min-h-11 cursor-pointer py-2.5">
              <span className={linkLook}>
                Edition {table.edition}, {saleOf(table)}
              </span>
            </summary>
            <Edition table={table} known={known} />
          </details>
        ))}
    </section>
  );
}

/** An edition: where it is fixed, its rules, and its drops. */
function Edition({ table, known }: { table: TableOdds; known: Known }) {
  const { hash, fixed, caps, inShop } = table;
  const columns = columnsOf(table);
  return (
    <>
      <details className="mt-4 max-w-[60rem]">
        <summary className="min-h-11 cursor-pointer py-2.5">
          <span className={linkLook}>Its SHA-256, and where that is fixed</span>
        </summary>
        <div className="mt-2">
          <Facts
            facts={[
              { name: "SHA-256 of the table", value: hash, code: true },
              ...(fixed
                ? fixedFacts({ ...fixed, blockTime: Date.parse(fixed.blockTime) / 1000 }, known)
                : [{ name: "Fixed by", value: "nothing yet" }]),
            ]}
          />
        </div>
        <p className="mt-4 max-w-[44rem] text-sm text-bone-muted">
          The SHA-256 is that of the table's exact text, which the call <code className="break-words">/api/packs/odds</code> has. The
          receipt of each opening has the text too.
        </p>
      </details>
      <div className="mt-4 grid max-w-[44rem] gap-3">
        <p>
          {fixed
            ? "A table is never changed: other odds are another edition. "
            : "Until its SHA-256 is fixed on a chain, the table could still change, and nothing is drawn by it. "}
          {inShop
            ? "The edition that is on sale when you go to pay counts."
            : "A pack keeps its edition for good: this table counts whenever you open it."}
        </p>
        {rulesOf(table).map((rule) => (
          <p key={rule}>{rule}</p>
        ))}
      </div>
      {caps && caps.length > 0 && (
        <ul aria-label="What is limited" className="mt-4 grid list-[square] gap-1 pl-5 marker:text-bronze">
          {caps.map((cap) => (
            <li key={cap.item} className="figures">
              {leftText(cap)}: {itemName(cap.item, known)}
            </li>
          ))}
        </ul>
      )}
      <Rarities table={table} columns={columns} />
      <div className="mt-10">
        <DropTables table={table} columns={columns} results={table.results} />
      </div>
    </>
  );
}

/** The chance of each rarity of what a pack gives. */
function Rarities({ table: { rarities }, columns }: { table: TableOdds; columns: Column[] }) {
  const head = "caption pb-1 pl-3 text-right text-bone-muted";
  return (
    <table className="figures mt-8 w-full max-w-[32rem]">
      <caption className="pb-2 text-left">The rarity of what you get</caption>
      <thead>
        <tr>
          <th scope="col" className="caption pb-1 text-left text-bone-muted">
            Rarity
          </th>
          <th scope="col" className={head}>
            {columns.length ? "Base" : "Chance"}
          </th>
          {columns.map(({ of, name }) => (
            <th key={of} scope="col" className={head}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rarities.map((shares) => (
          <tr key={shares.rarity} className="border-t border-line">
            <th scope="row" className="py-1.5 text-left font-normal">
              {isRarity(shares.rarity) ? <RarityBadge rarity={shares.rarity} /> : shares.rarity}
            </th>
            <td className="py-1.5 pl-3 text-right">{percent(shares.promised)}</td>
            {columns.map(({ of }) => (
              <td key={of} className={cn("py-1.5 pl-3 text-right", of === "now" && "font-bold")}>
                {percent(shares[of])}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** What was drawn by each edition, beside what it promises. */
function Drawn({ odds, kinds }: { odds: OddsData; kinds: string[] }) {
  const opened = odds.tables.reduce((sum, { openings }) => sum + openings, 0);
  const waiting = odds.tables.filter((table) => table.waiting > 0);
  return (
    <section id="drawn" className={`${frame} pt-24 lg:pt-36`}>
      <h2 className="display text-4xl sm:text-5xl">Promised and drawn</h2>
      {opened === 0 ? (
        <p role="status" className="mt-8 border-l border-bronze-dim py-2 pl-5 text-bone-muted">
          No pack has been drawn yet. From the first one on, what was drawn is counted here.
        </p>
      ) : (
        <div className="mt-6 grid max-w-[44rem] gap-3">
          <p>
            What was drawn is compared with the base odds. Draws by the pity rule are left out of the comparison, because they are made
            among some of the drops only; so are substitutes for what had run out.
          </p>
          <p>
            Chance is never even. The line beside each drop is the range in which its true chance lies, as far as the draws so far can tell:
            in 95 of 100 cases. The upright mark is the promise. Where it lies outside, the line is red; by chance that happens to one drop
            in 20.
          </p>
        </div>
      )}
      {waiting.map(({ kind, edition, waiting, waitingSince }) => (
        <p key={`${kind} ${edition}`} className="mt-6">
          {packName(kind)}: {plural(waiting, "opening")} {waiting === 1 ? "waits" : "wait"} to be drawn
          {waitingSince && (
            <>
              , the oldest since <time dateTime={waitingSince}>{utc(Date.parse(waitingSince) / 1000)}</time>
            </>
          )}
          .
        </p>
      ))}
      {kinds.map((kind) => {
        const editions = odds.tables.filter((table) => table.kind === kind && table.openings > 0);
        return editions.map((table, index) => (
          <details key={`${kind} ${table.edition}`} open={index === 0} className="mt-10 border-t border-line-strong pt-5">
            <summary className="min-h-11 cursor-pointer py-2.5">
              <h3 className="display inline text-2xl">
                {packName(kind)}, edition {table.edition}
              </h3>
              <span className="text-bone-muted"> · {plural(table.openings, "opening")}</span>
            </summary>
            <Results table={table} />
          </details>
        ));
      })}
    </section>
  );
}
