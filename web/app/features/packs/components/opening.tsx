import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { ButtonLink } from "~/components/ui/button";
import { TextLink } from "~/components/ui/link";
import { DidNotLoad, EmptyState, Skeleton } from "~/components/ui/states";
import { type Burning, isUnderWay } from "~/features/burning/burn";
import { RewardTimeline } from "~/features/reward/components/reward-timeline";
import type { Reward } from "~/features/reward/queries";
import { useNavigate } from "~/lib/navigation";
import { paths } from "~/lib/paths";
import { OpeningScene } from "../opening/scene";
import { countOf, givenOf, isSealed, type Known, unopened, useOpenings } from "../openings";
import { usePack } from "../products";
import { Waiting } from "./waiting";

/** The openings that failed, each with its reason. */
function Failed({ openings }: { openings: Reward[] }) {
  const failed = openings.filter(({ state }) => state === "failed");
  if (!failed.length) return null;
  return (
    <ul role="alert" className="mx-auto mt-6 grid max-w-3xl gap-3 px-4 sm:px-8">
      {failed.map(({ id, message, opening }) => (
        <li key={id} className="border-l-2 border-bad pl-4">
          <span className="font-bold">{opening?.packLevel || unopened.level}:</span> {message || unopened.message}{" "}
          <TextLink to={paths.opening(id)}>Its record</TextLink>
        </li>
      ))}
    </ul>
  );
}

interface OpeningProps {
  /** The transaction of the burn, once it is in a block. */
  txId: string | undefined;
  /** The burn, if it was made on this page. */
  burning: Burning | undefined;
  /** Opens as many of the kind again; absent if the player cannot. */
  onAgain: ((tokenId: string, count: number) => (() => void) | undefined) | undefined;
}

/** The opening of packs, from the burn to the cards; after a reload too. */
export function Opening({ txId, burning, onAgain }: OpeningProps) {
  const navigate = useNavigate();
  const burned = burning?.items[0];
  const known = useLocation().state as Known | null;
  const { query, openings, pulls } = useOpenings(txId, known);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const tokenId = burned?.tokenId ?? known?.tokenId ?? openings[0]?.tokenId;
  const { pack, error, refetch } = usePack(tokenId, openings[0]?.opening?.kind);
  const count = burned?.amount ?? known?.count ?? countOf(openings);

  let content = <Skeleton className="mx-auto my-16 h-96 max-w-3xl" />;
  if (query.error && !query.data && txId) content = <DidNotLoad what="This opening" error={query.error} onRetry={query.refetch} />;
  else if (error && !pack) content = <DidNotLoad what="The packs" error={error} onRetry={refetch} />;
  else if (query.data && !openings.length && !tokenId && txId) {
    content = (
      <EmptyState
        title="No packs here yet"
        action={
          <ButtonLink to={paths.packs} kind="quiet">
            My packs
          </ButtonLink>
        }
      >
        We know of no packs that you opened by this transaction. If it is a few seconds old, they appear here by themselves.
      </EmptyState>
    );
  } else if (pulls && !pulls.length) {
    content = (
      <EmptyState
        title={unopened.message}
        action={
          <ButtonLink to={paths.packs} kind="quiet">
            My packs
          </ButtonLink>
        }
      >
        We are looking into it. Please write to our support if you hear nothing.
      </EmptyState>
    );
  } else if (pack && tokenId) {
    content = (
      <OpeningScene
        pack={pack}
        count={count}
        pulls={pulls}
        given={givenOf(openings)}
        status={<Waiting burning={burning} openings={openings} />}
        onClose={() => void navigate(paths.packs)}
        onAgain={pulls ? onAgain?.(tokenId, count) : undefined}
        verifyHref={({ openingId }) => paths.opening(openingId)}
        keepHref={paths.inventory}
      />
    );
  }
  const waited = !isUnderWay(burning) && openings.find(isSealed);
  return (
    <>
      <h1 ref={heading} tabIndex={-1} className="sr-only">
        Opening packs
      </h1>
      {content}
      <Failed openings={openings} />
      {waited && (
        <section aria-label="How far it is" className="mx-auto max-w-3xl px-4 pb-16 sm:px-8">
          <RewardTimeline reward={waited} />
          <p className="mt-6 text-sm text-bone-muted">
            You can leave this page. The packs are opened without it, and what they hold is yours.
          </p>
        </section>
      )}
    </>
  );
}
