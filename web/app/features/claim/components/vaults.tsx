import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef } from "react";
import { Link } from "react-router";
import { Button, ButtonLink } from "~/components/ui/button";
import { Price } from "~/components/ui/price";
import { RarityBadge, rarityOf } from "~/components/ui/rarity";
import { DidNotLoad, EmptyState, Skeleton } from "~/components/ui/states";
import { onMessage } from "~/features/realtime/messages";
import { useTotals } from "~/features/wallet/balance";
import { messageOf } from "~/lib/api/problem";
import { cn } from "~/lib/cn";
import { plural } from "~/lib/format";
import { paths } from "~/lib/paths";
import { queryClient } from "~/lib/query";
import { day } from "~/lib/time";
import { tokenKey } from "~/lib/token";
import { pausedText, useClaimsPaused } from "../use-paused";
import { type Season, useClaimVaults, type VaultGod, type Vaults as VaultsData, vaultsQuery } from "../vaults";

/** What a vault is, and the line below it. */
function stateOf(god: VaultGod, next: Season | undefined): { state: string; more: string; bad?: boolean } {
  const again = next ? `Opens again on ${day(next.from)}` : "Opens again next season";
  if (god.state === "eligible") return { state: "Ready to claim", more: "" };
  if (god.state === "not-now") return { state: "Closed", more: next ? `Opens on ${day(next.from)}` : "The next season is not announced" };
  if (god.state === "not-known") return { state: "Not yet", more: "Its vault pays by its rarity, which is being read" };
  switch (god.rewardState) {
    case undefined:
      return { state: "Claimed", more: `By its owner before you. ${again}` };
    case "done":
      return { state: "Claimed", more: again };
    case "failed":
      return { state: "Not paid", more: "It could not be sent. We are looking into it.", bad: true };
    default:
      return { state: "On its way", more: "The GOD comes to your wallet in a moment" };
  }
}

interface GodProps {
  god: VaultGod;
  next: Season | undefined;
  /** The claim button, for a vault that can be claimed. */
  onClaim: (() => void) | undefined;
  busy: boolean;
  blocked: boolean;
}

function God({ god, next, onClaim, busy, blocked }: GodProps) {
  const { name, image, rarity } = god.metadata;
  const { state, more, bad } = stateOf(god, next);
  const outcome = useRef<HTMLDivElement>(null);
  const pressed = useRef(false);
  // The button that was pressed is gone: its outcome takes the focus.
  useEffect(() => {
    if (onClaim || !pressed.current) return;
    pressed.current = false;
    outcome.current?.focus();
  }, [onClaim]);
  return (
    <li
      className={
        "relative grid grid-cols-[4.5rem_minmax(0,1fr)] items-center gap-x-5 gap-y-3 border-b border-line py-5 " +
        "sm:grid-cols-[6rem_minmax(0,1fr)_auto] sm:gap-x-8"
      }
    >
      <img
        src={image}
        alt=""
        width={600}
        height={800}
        loading="lazy"
        decoding="async"
        className="aspect-[3/4] w-full rounded-sm bg-night-1 object-cover"
      />
      <div className="min-w-0">
        <RarityBadge rarity={rarityOf(rarity)} />
        <h3 className="display mt-1 break-words text-2xl sm:text-3xl">
          <Link to={paths.item(god.contract, god.tokenId)} className="hover:text-ember-bright">
            {name}
          </Link>
        </h3>
        <p className="mt-1 text-bone-muted">
          {god.state !== "not-known" && <Price value={god.amount} currency="GOD" className="text-bone" />}
          {god.wallet === "verified" && " · in your own wallet, paid to your smart wallet"}
        </p>
      </div>
      <div ref={outcome} tabIndex={-1} className="outline-none max-sm:col-start-2 sm:w-56 sm:text-right">
        {onClaim ? (
          <Button
            size="small"
            busy={busy}
            disabled={blocked}
            onClick={() => {
              pressed.current = true;
              onClaim();
            }}
          >
            Claim <span className="sr-only">the vault of {name}</span>
          </Button>
        ) : (
          <>
            <p className={cn("display text-xl", bad ? "text-bad" : god.state === "claimed" ? "text-bronze" : "text-bone-muted")}>{state}</p>
            {more && <p className="text-sm text-bone-muted">{more}</p>}
          </>
        )}
      </div>
    </li>
  );
}

/** A figure of the ledger over the list. */
function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="border-l border-bronze-dim pl-4">
      <dt className="caption text-bone-muted">{name}</dt>
      <dd className="display figures mt-1 text-3xl sm:text-4xl">{children}</dd>
    </div>
  );
}

/** What the season is, and until when; or when the next begins. */
function seasonText({ season, next }: VaultsData): string {
  if (season) return `${season.name}, until ${day(season.until)}. Each vault opens once in it.`;
  if (next) return `No season is open. ${next.name} begins on ${day(next.from)}.`;
  return "No season is open, and the next one is not announced yet.";
}

function List({ data }: { data: VaultsData }) {
  const totals = useTotals();
  const paused = useClaimsPaused();
  const claim = useClaimVaults();
  const heading = useRef<HTMLHeadingElement>(null);
  const open = paused ? [] : data.gods.filter(({ state }) => state === "eligible").map(({ tokenId }) => tokenId);
  const claiming = claim.isPending ? claim.variables : [];
  const claimAll = () => claim.mutate(open, { onSuccess: () => heading.current?.focus() });
  return (
    <>
      <div className="grid grid-cols-1 gap-x-16 gap-y-8 lg:grid-cols-[1.65fr_1fr] lg:items-end">
        <div>
          <h2 ref={heading} tabIndex={-1} className="display text-[clamp(3.0625rem,6vw,5.5rem)] outline-none">
            Your vaults
          </h2>
          <p className="mt-4 max-w-[34rem] text-lg">{seasonText(data)}</p>
        </div>
        <dl className="grid grid-cols-2 gap-4">
          <Figure name="To claim">
            <Price value={data.claimable} currency="GOD" />
          </Figure>
          <Figure name="In your wallet">{totals ? <Price value={totals.godTotal} currency="GOD" /> : "–"}</Figure>
        </dl>
      </div>
      <div className="mt-8 flex min-h-6 flex-wrap items-center gap-x-6 gap-y-3">
        {open.length > 1 && (
          <Button busy={claiming.length > 1} disabled={claiming.length === 1} onClick={claimAll}>
            Claim all {open.length.toLocaleString("en")}
          </Button>
        )}
        {paused && <p className="border-l-2 border-bronze pl-4">{pausedText}</p>}
        {claim.error && (
          <p role="alert" className="border-l-2 border-bad pl-4">
            {messageOf(claim.error)}
          </p>
        )}
        <p role="status" className={cn("text-good", !claim.isSuccess && "sr-only")}>
          {claim.isSuccess && `${plural(claim.variables.length, "vault")} claimed.`}
        </p>
      </div>
      <ul className="mt-6 border-t border-bronze-dim">
        {data.gods.map((god) => {
          const { tokenId } = god;
          const claimable = open.includes(tokenId);
          return (
            <God
              key={tokenKey(god)}
              god={god}
              next={data.next}
              onClaim={claimable ? () => claim.mutate([tokenId]) : undefined}
              busy={claiming.includes(tokenId)}
              blocked={claiming.length > 0 && !claiming.includes(tokenId)}
            />
          );
        })}
      </ul>
    </>
  );
}

/** The vaults of the player's Elder Gods: claim one or all, and see what becomes of it. */
export function Vaults() {
  const { data, error, refetch } = useQuery(vaultsQuery);
  // A god may have come or gone.
  useEffect(() => onMessage("holdings", () => void queryClient.invalidateQueries({ queryKey: vaultsQuery.queryKey })), []);
  if (!data && error) return <DidNotLoad what="Your vaults" error={error} onRetry={refetch} />;
  if (!data) {
    return (
      <div aria-busy="true">
        <Skeleton className="h-24 max-w-xl" />
        <Skeleton className="mt-16 h-40" />
      </div>
    );
  }
  if (!data.gods.length) {
    return (
      <EmptyState
        title="You own no god yet"
        action={<ButtonLink to={`${paths.market}?collection=elder-gods`}>See the gods for sale</ButtonLink>}
      >
        {seasonText(data)} A god that comes into your wallet appears here with its vault.
      </EmptyState>
    );
  }
  return <List data={data} />;
}
