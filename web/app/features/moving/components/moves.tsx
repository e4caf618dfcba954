import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { ButtonLink } from "~/components/ui/button";
import { DidNotLoad, EmptyState, Skeleton } from "~/components/ui/states";
import { SessionProblem } from "~/features/session/components/session-problem";
import { session } from "~/features/session/store";
import { paths } from "~/lib/paths";
import { queryClient } from "~/lib/query";
import { useStore } from "~/lib/store";
import { zonedDateTime } from "~/lib/time";
import { holdingsQuery, type Move, movesQuery } from "../queries";
import { seenMoves } from "../seen";
import { moveTexts } from "../texts";
import { Comparison } from "./comparison";
import { Held } from "./held";

/** The chains that the portal leaves or has left: what the player held there, and how both chains compare. */
export function Moves() {
  return (
    <QueryClientProvider client={queryClient}>
      <List />
    </QueryClientProvider>
  );
}

function List() {
  const { data, error, refetch } = useQuery(movesQuery);
  if (!data && error) return <DidNotLoad what="Whether the game moves" error={error} onRetry={refetch} />;
  if (!data) {
    return (
      <div aria-busy="true">
        <Skeleton className="h-96" />
      </div>
    );
  }
  if (!data.length) {
    return (
      <EmptyState title="Nothing is moving" action={<ButtonLink to={paths.market}>To the market</ButtonLink>}>
        The game stays on its chain. When that changes, you read it here.
      </EmptyState>
    );
  }
  return (
    <div className="grid grid-cols-1 gap-24">
      {data.map((move) => (
        <OneMove key={move.chainId} move={move} />
      ))}
    </div>
  );
}

function OneMove({ move }: { move: Move }) {
  const { chainId, state, to, block, blockTime } = move;
  const { heading, text } = moveTexts[state];
  const id = `move-${chainId}`;
  useEffect(() => seenMoves.set({ chains: [...seenMoves.get().chains, chainId] }), [chainId]);
  return (
    <section aria-labelledby={id}>
      <p className="caption figures text-bronze">{to ? `From chain ${chainId} to chain ${to}` : `From chain ${chainId}`}</p>
      <h2 id={id} className="display mt-3 text-[clamp(2.75rem,5vw,4.75rem)]">
        {heading}
      </h2>
      <p className="mt-4 max-w-[40rem] text-lg">{text}</p>
      {state === "snapshotted" && block !== undefined && blockTime && (
        <p className="mt-3 max-w-[40rem] text-bone-muted">
          What everybody holds was written down at block <span className="figures">{block.toLocaleString("en")}</span>, on{" "}
          <time dateTime={blockTime}>{zonedDateTime(blockTime)}</time>. The next step is the new chain, on which you claim it.
        </p>
      )}
      {state === "frozen" && (
        <p className="mt-3 max-w-[40rem] text-bone-muted">
          Next, what everybody holds is written down, and anybody can check it here. You need not do anything.
        </p>
      )}
      {state === "moved" ? <AfterMove move={move} /> : state === "snapshotted" && <Comparison move={move} />}
    </section>
  );
}

/** What is below stays where it is: it waits until the player's part is known. */
function AfterMove({ move }: { move: Move }) {
  const { isLoading, isAuthenticated, profile, problem } = useStore(session, (s) => s);
  const playFabId = (isAuthenticated && profile?.AccountInfo.PlayFabId) || "";
  const held = useQuery({ ...holdingsQuery(move.chainId, playFabId), enabled: playFabId !== "" });
  if (isLoading || (playFabId && held.isPending)) {
    return (
      <div aria-busy="true" className="mt-12">
        <Skeleton className="h-[60svh]" />
      </div>
    );
  }
  return (
    <>
      <div className="mt-12">
        {playFabId && held.data ? (
          <Held chainId={move.chainId} data={held.data} />
        ) : playFabId ? (
          <DidNotLoad what="What you held" error={held.error} onRetry={held.refetch} />
        ) : problem ? (
          <SessionProblem />
        ) : (
          <div className="border-l-2 border-bronze bg-night-1 px-6 py-5">
            <p className="max-w-[36rem]">Sign in to see what you held on the old chain, and to claim it.</p>
            <ButtonLink to={paths.login(paths.move)} className="mt-4">
              Sign in
            </ButtonLink>
          </div>
        )}
      </div>
      <Comparison move={move} />
    </>
  );
}
