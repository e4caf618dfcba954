import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import { linkLook, TextLink } from "~/components/ui/link";
import { DidNotLoad, Skeleton } from "~/components/ui/states";
import { cn } from "~/lib/cn";
import { plural } from "~/lib/format";
import { paths } from "~/lib/paths";
import { queryClient } from "~/lib/query";
import { packName, shopPicture } from "../kinds";
import { type Odds as OddsData, oddsQuery, productsQuery, type TableOdds } from "../queries";
import { noPublicBeacon, pityRule, utc } from "../steps";
import { DropTables } from "./drop-tables";
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
  const versionsOf = (kind: string) => odds.tables.filter((table) => table.kind === kind);
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
          <Kind key={kind} kind={kind} versions={versionsOf(kind)} />
        ))}
      {inShop.size > 0 && (
        <div id="destiny-packs" className="mt-24 border-t border-line-strong lg:mt-36">
          <div className={`${frame} pt-12`}>
            <h2 className="display text-4xl sm:text-5xl">Destiny packs</h2>
            <p className="mt-6 max-w-[44rem]">
              Destiny packs are sold in the <TextLink to={paths.webstore}>webstore</TextLink> for ordinary money. They are not burned but opened when they are
              paid for: the time of the payment names the beacon's round, and the place in the shop's order is part of the draw.
            </p>
          </div>
          {[...inShop].map((kind) => (
            <Kind key={kind} kind={kind} versions={versionsOf(kind)} inShop />
          ))}
        </div>
      )}
      <Drawn odds={odds} kinds={kinds} />
    </div>
  );
}

/** A kind of pack: its table, what follows it, and all versions. */
function Kind({ kind, versions, inShop = false }: { kind: string; versions: TableOdds[]; inShop?: boolean }) {
  const product = useQuery(productsQuery).data?.find((one) => one.kind === kind);
  const now = versions.find(({ inForce }) => inForce);
  const coming = versions.filter(({ announced }) => announced).toReversed();
  const Heading = inShop ? "h3" : "h2";
  return (
    <section id={kind} className={`${frame} pt-20 lg:pt-28`}>
      <div className="flex flex-wrap items-end gap-x-8 gap-y-4">
        <div className={cn("w-24 lg:w-32", !inShop && "aspect-[3/4]")}>
          {inShop && <img src={shopPicture(kind)} alt="" width={680} height={740} className="h-auto w-full" />}
          {product && <img src={product.image} alt="" width={600} height={800} className="h-auto w-full rounded border border-line" />}
        </div>
        <div>
          <Heading className={`display ${inShop ? "text-3xl sm:text-4xl" : "text-4xl sm:text-5xl"}`}>{product?.name ?? packName(kind)}</Heading>
          <p className="mt-3 text-bone-muted">
            {now ? `Version ${now.version}, in force from ${when(now.from)}` : "No table is in force: a pack of this kind cannot be opened."}
          </p>
        </div>
      </div>
      {now && <Table table={now} />}
      {coming.map((table) => (
        <details key={table.version} className="mt-10 border-t border-line pt-4">
          <summary className="min-h-11 cursor-pointer py-2.5">
            <span className={linkLook}>
              Announced: version {table.version}, from {when(table.from)}
            </span>
          </summary>
          <Table table={table} />
        </details>
      ))}
      <details className="mt-10 border-t border-line pt-4">
        <summary className="min-h-11 cursor-pointer py-2.5">
          <span className={linkLook}>
            {versions.length === 1 ? "The version" : `All ${versions.length} versions`}, with {versions.length === 1 ? "its" : "their"} SHA-256
          </span>
        </summary>
        <ul className="mt-4 grid gap-5">
          {versions.map((table) => (
            <li key={table.version}>
              <p>
                Version {table.version}, from {when(table.from)}
                {table.inForce ? ", in force" : table.announced ? ", announced" : ", ended"}
              </p>
              <code className="break-all text-sm text-bone-muted">{table.hash}</code>
            </li>
          ))}
        </ul>
        <p className="mt-5 max-w-[40rem] text-sm text-bone-muted">
          The SHA-256 is that of the table's exact text, which the call <code>/api/packs/odds</code> has. Keep it, and compare it with the receipt of your
          opening.
        </p>
      </details>
    </section>
  );
}

const when = (time: string) => utc(Date.parse(time) / 1000).replace(/ 00:00:00 UTC$/, "");

/** The rules of a table, and its drops. */
function Table({ table }: { table: TableOdds }) {
  return (
    <>
      <p className="mb-10 mt-8 max-w-[40rem]">
        {table.pity
          ? `${pityRule(table.pity)} The openings of this kind by the same wallet count, whatever the version.`
          : "Every opening is drawn by these chances alone: there is no pity rule."}
        {table.drops.some(({ cap }) => cap) && " Of some drops there is a limited number; what comes in their place then stands beside them."}
      </p>
      <DropTables table={table} />
    </>
  );
}

/** What was drawn by each version, beside what it promises. */
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
            What was drawn is compared with what was promised. Draws by the pity rule are left out of the comparison, because they are made among some of the
            drops only; so are substitutes for what had run out.
          </p>
          <p>
            Chance is never even. The line beside each drop is the range in which its true chance lies, as far as the draws so far can tell: in 95 of 100 cases.
            The upright mark is the promise. Where it lies outside, the line is red; by chance that happens to one drop in 20.
          </p>
        </div>
      )}
      {waiting.map(({ kind, waiting, waitingSince }) => (
        <p key={kind} className="mt-6">
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
        const versions = odds.tables.filter((table) => table.kind === kind && table.openings > 0);
        return versions.map((table, index) => (
          <details key={`${kind} ${table.version}`} open={index === 0} className="mt-10 border-t border-line-strong pt-5">
            <summary className="min-h-11 cursor-pointer py-2.5">
              <h3 className="display inline text-2xl">
                {packName(kind)}, version {table.version}
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
