import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { href } from "react-router";
import { brand } from "#brand";
import { Button, ButtonLink } from "~/components/ui/button";
import { Countdown } from "~/components/ui/countdown";
import { Drawing } from "~/components/ui/icon";
import { linkLook, TextLink } from "~/components/ui/link";
import { isRarity, RarityBadge } from "~/components/ui/rarity";
import { Spinner } from "~/components/ui/spinner";
import { DidNotLoad, FailedState, Skeleton } from "~/components/ui/states";
import { configQuery } from "~/features/config/config";
import { serverNow, useNow } from "~/lib/clock";
import { cn } from "~/lib/cn";
import { plural, short } from "~/lib/format";
import { paths } from "~/lib/paths";
import { queryClient } from "~/lib/query";
import { report } from "~/lib/report";
import { day } from "~/lib/time";
import { choseNonce } from "../../nonces";
import { isQuicknet, type Verified } from "../../verify";
import { type Good, goodsOf, grantText, knownOf } from "../goods";
import { misfits } from "../judge";
import { keptPage, pageFile, receiptFile, save } from "../keep";
import { packName, shopPicture } from "../kinds";
import { checkQuery, grace, isUnknown, oddsQuery, openingQuery, type Proof, productsQuery } from "../queries";
import { givenStep, headOf, noPublicBeacon, stepsOf, unprovenOf, utc, verdicts } from "../steps";
import { Steps } from "./steps";

interface OpeningProps {
  id: string;
  /** The page for an id that no opening has. */
  missing: ReactNode;
}

/** The public page of an opening: what was drawn, and the draw repeated by the browser. */
export function OpeningPage(props: OpeningProps) {
  return (
    <QueryClientProvider client={queryClient}>
      <Opening {...props} />
    </QueryClientProvider>
  );
}

const frame = "mx-auto min-h-svh max-w-[100rem] px-4 pb-8 pt-10 sm:px-8 lg:pt-16";

function Opening({ id, missing }: OpeningProps) {
  const { data: proof, error, refetch } = useQuery(openingQuery(id));
  if (!proof && isUnknown(error)) {
    return (
      <>
        <title>{`Page not found · ${brand.name}`}</title>
        {missing}
      </>
    );
  }
  if (!proof && error) {
    return (
      <div className={frame}>
        <h1 className="sr-only">The opening of a pack</h1>
        <DidNotLoad what="The opening" error={error} onRetry={refetch} />
      </div>
    );
  }
  if (!proof) return <Loading />;
  if (proof.state === "failed") return <Failed proof={proof} />;
  if (proof.state === "drawn" && proof.receipt) return <Drawn proof={proof} receipt={proof.receipt} />;
  if (!proof.round || !proof.roundAt) return <Unanchored proof={proof} />;
  return <Waiting proof={proof} number={proof.round} at={Date.parse(proof.roundAt)} />;
}

function Caption({ proof: { kind, edition, burn, purchase } }: { proof: Proof }) {
  return (
    <p className="caption text-bronze">
      {packName(kind)}
      {edition !== undefined && ` · edition ${edition}`}
      {burn && (
        <>
          {" "}
          · burned on <time dateTime={burn.blockTime}>{day(burn.blockTime)}</time> by{" "}
          <span title={burn.wallet} className="normal-case">
            {short(burn.wallet)}
          </span>
        </>
      )}
      {purchase && (
        <>
          {" "}
          · {unitOf(purchase)} · payment recorded at{" "}
          <time dateTime={purchase.recordedAt}>{utc(Date.parse(purchase.recordedAt) / 1000)}</time>
        </>
      )}
    </p>
  );
}

/** Where a purchase is in its shop. */
const unitOf = ({ shop, order, line, unit }: NonNullable<Proof["purchase"]>) => `${shop}, order ${order}, line ${line}, unit ${unit}`;

const heading = "display mt-4 max-w-[8em] text-[clamp(3rem,7vw,6rem)]";

function More() {
  return (
    <p className="mt-10">
      What packs can hold, and what was drawn so far: <TextLink to={paths.odds}>the odds</TextLink>. What applies to packs: the{" "}
      <TextLink to={paths.packTerms}>terms of packs</TextLink> and the <TextLink to={paths.terms}>terms of use</TextLink>.
    </p>
  );
}

const columns = "grid grid-cols-1 gap-x-14 gap-y-8 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]";
const pictureLook = "mx-auto h-auto w-full max-w-[34rem] rounded border border-line max-lg:max-w-[16rem]";

/** Replaces the page until it can be shown whole. */
function Loading({ children }: { children?: ReactNode }) {
  return (
    <div className={frame} aria-busy="true">
      <h1 className="sr-only">The opening of a pack</h1>
      <div className={columns}>
        <Skeleton className="mx-auto aspect-[3/4] w-full max-w-[34rem] max-lg:max-w-[16rem]" />
        <div className="grid content-start gap-8">
          {children}
          <Skeleton className="h-72" />
        </div>
      </div>
    </div>
  );
}

/** The picture of the pack; until it is known, the room for it. */
function PackPicture({ proof: { kind, purchase } }: { proof: Proof }) {
  const pack = useQuery(productsQuery).data?.find((one) => one.kind === kind);
  if (purchase) return <img src={shopPicture(kind)} alt={packName(kind)} width={680} height={740} className={pictureLook} />;
  return pack ? (
    <img src={pack.image} alt={pack.name} width={600} height={800} className={pictureLook} />
  ) : (
    <div className={cn(pictureLook, "aspect-[3/4]")} />
  );
}

/** A pack of which nothing can be shown but the pack. */
function Closed({ proof, children }: { proof: Proof; children: ReactNode }) {
  return (
    <article className={frame}>
      <div className={columns}>
        <PackPicture proof={proof} />
        <div className="min-w-0">
          <Caption proof={proof} />
          {children}
          <More />
        </div>
      </div>
    </article>
  );
}

/** A purchase whose record is not anchored in a final block yet. */
function Unanchored({ proof }: { proof: Proof }) {
  return (
    <Closed proof={proof}>
      <h1 className={heading}>Its round is not known yet</h1>
      <div className="mt-8 grid max-w-[36rem] gap-4 text-lg">
        <p role="status">
          The record of the payment{proof.purchase && `, number ${proof.purchase.record.toLocaleString("en")} of the public log,`} is not on
          the chain yet, or its block is not final. The round of the beacon that decides follows from that block.
        </p>
        <p className="text-bone-muted">Until then nobody can know the round. This page asks again by itself.</p>
      </div>
    </Closed>
  );
}

/** An opening whose round is not published, or that is not drawn by it yet. */
function Waiting({ proof, number, at }: { proof: Proof; number: number; at: number }) {
  const now = useNow() || serverNow();
  const round = number.toLocaleString("en");
  return (
    <Closed proof={proof}>
      <h1 className={heading}>{now < at ? "The beacon decides" : now < at + grace ? "Any moment now" : "It takes longer today"}</h1>
      <div className="mt-8 grid max-w-[36rem] gap-4 text-lg">
        {now < at ? (
          <p>
            It waits for round {round} of the beacon, expected in <Countdown until={at} label="Expected in" className="text-2xl" />
          </p>
        ) : now < at + grace ? (
          <p role="status">Round {round} is due. The draw follows in a moment.</p>
        ) : (
          <p role="status">
            The draw is late: round {round} was expected {ago(now - at)} ago. Either the beacon is late, or earlier openings of the kind are
            drawn first. The round is waited for and never replaced, so waiting changes nothing in the outcome.
          </p>
        )}
        <p className="text-bone-muted">
          The {proof.purchase ? "block that anchors the record of the payment" : "burn itself"} has named this round, so nobody can choose
          another one. This page asks again by itself.
        </p>
      </div>
    </Closed>
  );
}

/** A time in milliseconds, in its largest unit. */
function ago(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 120) return plural(seconds, "second");
  return seconds < 7200 ? plural(Math.floor(seconds / 60), "minute") : plural(Math.floor(seconds / 3600), "hour");
}

/** An opening that can never be drawn. */
function Failed({ proof }: { proof: Proof }) {
  return (
    <Closed proof={proof}>
      <h1 className={heading}>This pack could not be drawn</h1>
      <div role="note" className="mt-8 grid max-w-[40rem] gap-3 border-l-2 border-bad bg-night-1 px-6 py-6">
        <p>{proof.message}</p>
        <p>
          The pack is {proof.purchase ? "paid for" : "burned"}, and nothing was drawn for it.{" "}
          <TextLink to={paths.support}>Write to support</TextLink> with the address of this page.
        </p>
        {proof.burn && (
          <p>
            Transaction of the burn: <code className="break-all text-sm">{proof.burn.txId}</code>
          </p>
        )}
      </div>
    </Closed>
  );
}

function Drawn({ proof, receipt }: { proof: Proof; receipt: string }) {
  const check = useQuery(checkQuery(receipt));
  const odds = useQuery(oddsQuery);
  const config = useQuery(configQuery).data;
  // All at once: a verdict is not taken back, and nothing moves.
  if (!check.isFetched || !odds.isFetched) {
    return (
      <Loading>
        <p role="status" className="flex items-center gap-3 border-l-2 border-line-strong bg-night-1 px-6 py-5">
          <Spinner size={20} color="currentColor" /> Your browser repeats the draw…
        </p>
      </Loading>
    );
  }
  const found = check.data;
  const claimed = odds.data?.tables
    .find(({ kind, edition }) => kind === proof.kind && edition === proof.edition)
    ?.drops.find(({ id }) => id === proof.drop);
  if (!found?.right) {
    return (
      <Closed proof={proof}>
        <h1 className={heading}>An opened pack</h1>
        {claimed && <p className="mt-4">The portal says that it held “{claimed.name}”.</p>}
        <div className="mt-8">
          {found ? (
            <Verdict faults={[found.reason]} />
          ) : (
            <FailedState title="The check did not run" onRetry={check.refetch}>
              Your browser could not start it. The receipt can be downloaded and checked elsewhere.
            </FailedState>
          )}
        </div>
        <Keep openingId={proof.openingId} receipt={receipt} />
      </Closed>
    );
  }
  const { drop, table } = found;
  const faults = misfits(found, proof, odds.data);
  const known = { ...knownOf(config), chose: choseNonce };
  const goods = goodsOf(found, config);
  const { name, rarity, of } = headOf(found);
  const given = givenStep(found, proof.grants, (grant) => grantText(grant, config), known);
  return (
    <article className={frame}>
      <title>{`${name}, from a pack · ${brand.name}`}</title>
      <div className={columns}>
        <Pictures goods={goods} name={name} proof={proof} />
        <div className="min-w-0">
          <Caption proof={proof} />
          <h1 className={heading}>{name}</h1>
          {isRarity(rarity) && <RarityBadge rarity={rarity} className="mt-4" />}
          {of && <p className="mt-4">{of}, and a second draw said which.</p>}
          <ul className="mt-4 text-bone-muted">
            {goods
              .filter(({ text }) => text !== drop.name)
              .map(({ text }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes, and may have the same entry twice
                <li key={index} className="wrap-anywhere">
                  {text}
                </li>
              ))}
          </ul>
          <div className="mt-8 grid gap-4">
            <Verdict faults={faults} />
            <Reservations verified={found} oddsFailed={!odds.data} retry={odds.refetch} />
          </div>
          <Keep openingId={proof.openingId} receipt={receipt} />
          <More />
        </div>
      </div>
      <h2 className="display mt-20 text-4xl sm:text-5xl">How it was drawn</h2>
      <Steps
        steps={[...stepsOf(found, known), ...(given ? [given] : [])]}
        published={
          odds.data && (odds.data.tables.some(({ canonical }) => canonical === found.receipt.table) ? "yes, it is among the odds" : "no")
        }
        table={table}
        drop={drop.id}
      />
      <h2 className="display mt-20 text-3xl">What a receipt cannot prove by itself</h2>
      <ul className="mt-6 grid max-w-[44rem] grid-cols-1 list-[square] gap-4 pl-5 marker:text-bronze">
        {unprovenOf(found, proof.openingId, location.origin).map(({ claim, check }) => (
          <li key={claim} className="wrap-anywhere">
            {claim} <span className="block text-bone-muted">{check}</span>
          </li>
        ))}
      </ul>
      <p className="mt-5 max-w-[40rem]">
        How each of these is checked stands at <TextLink to={href("/packs/verify")}>check a draw yourself</TextLink>.
      </p>
    </article>
  );
}

/** The pictures of what was drawn; until they are known, the room for one. Currencies have none: then that of the pack. */
function Pictures({ goods, name, proof }: { goods: Good[]; name: string; proof: Proof }) {
  const shown = goods.flatMap(({ picture, text }) => (picture ? [{ picture, text }] : []));
  if (goods.every(({ picture }) => picture === null)) return <PackPicture proof={proof} />;
  return (
    <div className={cn("grid content-start gap-4", shown.length > 1 && "grid-cols-2")}>
      {shown.length > 0 ? (
        shown.map(({ picture, text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes, and may have the same entry twice
          <img key={index} src={picture} alt={`${name}: ${text}`} width={600} height={800} className={pictureLook} />
        ))
      ) : (
        <div className={cn(pictureLook, "aspect-[3/4]")} />
      )}
    </div>
  );
}

/** What the browser itself has found out. */
function Verdict({ faults }: { faults: string[] }) {
  const right = faults.length === 0;
  return (
    <div role="status" className={cn("border-l-2 bg-night-1 px-6 py-5", right ? "border-good" : "border-bad")}>
      <p className={cn("flex items-start gap-3 text-xl", right ? "text-good" : "text-bad")}>
        <Drawing size={26}>
          <path d={right ? "m4 13 5 5L20 6" : "m5 5 14 14M19 5 5 19"} />
        </Drawing>
        {right ? verdicts.right : verdicts.wrong}
      </p>
      {right ? (
        <p className="mt-2">Your browser has drawn again from the receipt, without asking the portal, and the same came out.</p>
      ) : (
        <ul className="mt-2 grid gap-1">
          {faults.map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** What limits a verdict. */
function Reservations({ verified, oddsFailed, retry }: { verified: Verified; oddsFailed: boolean; retry: () => unknown }) {
  return (
    <>
      {!isQuicknet(verified.receipt.beacon) && (
        <p role="note" className="border-l-2 border-ember bg-night-1 px-6 py-4">
          {noPublicBeacon}
        </p>
      )}
      {oddsFailed && (
        <p role="note" className="border-l-2 border-ember bg-night-1 px-6 py-4">
          The published tables did not load, so the receipt's table and beacon could not be compared with them.{" "}
          <button type="button" onClick={() => void retry()} className={linkLook}>
            Try again
          </button>
        </p>
      )}
    </>
  );
}

/** What a visitor may take home. */
function Keep({ openingId, receipt }: { openingId: string; receipt: string }) {
  const [state, setState] = useState<"idle" | "busy" | "failed">("idle");
  const keep = async () => {
    setState("busy");
    try {
      save(pageFile(openingId), "text/html", await keptPage({ receipt, from: location.origin + paths.opening(openingId) }));
      setState("idle");
    } catch (error) {
      report("packs: the page to keep did not load", error);
      setState("failed");
    }
  };
  return (
    <div className="mt-8">
      <div className="flex flex-wrap gap-3">
        <Button kind="quiet" onClick={() => save(receiptFile(openingId), "application/json", receipt)} className="max-sm:w-full">
          Download the receipt
        </Button>
        <Button kind="quiet" busy={state === "busy"} onClick={() => void keep()} className="max-sm:w-full">
          Keep a page that checks itself
        </Button>
        <ButtonLink kind="quiet" to={paths.odds} className="max-sm:w-full">
          See the odds
        </ButtonLink>
      </div>
      <p className="mt-3 text-sm text-bone-muted" role="status">
        {state === "failed"
          ? "The page did not load. Try again."
          : "The page that you keep repeats the draw without this site, and without a network."}
      </p>
    </div>
  );
}
