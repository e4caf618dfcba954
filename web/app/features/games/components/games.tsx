import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { games } from "#brand/games";
import { OwnPage } from "~/components/site/own-page";
import { ButtonLink } from "~/components/ui/button";
import { FailedLine } from "~/components/ui/failed-line";
import { TextLink } from "~/components/ui/link";
import { DidNotLoad, Skeleton } from "~/components/ui/states";
import { paths } from "~/lib/paths";
import { kinds } from "~/lib/registry";
import { type Game, gamesQuery, standingQuery } from "../queries";

/** The player's rank in a game that has a leaderboard. */
function Standing({ board }: { board: string }) {
  const { data, error, refetch } = useQuery(standingQuery(board));
  if (data === undefined && error) return <FailedLine onRetry={refetch}>Your rank did not load.</FailedLine>;
  if (data === undefined) return <p aria-hidden="true">&nbsp;</p>;
  return (
    <p>
      {data ? (
        <>
          You are number <span className="figures">{data.rank.toLocaleString("en")}</span> with{" "}
          <span className="figures">{data.score.toLocaleString("en")}</span>.
        </>
      ) : (
        "You are not on its leaderboard yet."
      )}{" "}
      {paths.leaderboard && <TextLink to={paths.leaderboard}>See the leaderboard</TextLink>}
    </p>
  );
}

function One({ game }: { game: Game }) {
  const more = games[game.id];
  return (
    <li className="grid grid-cols-1 gap-x-12 gap-y-6 border-t border-bronze-dim pt-8 sm:grid-cols-[14rem_1fr] lg:grid-cols-[20rem_1fr_1fr]">
      {more && (
        <img
          src={more.picture}
          alt=""
          width={640}
          height={640}
          decoding="async"
          className="aspect-square w-full max-w-64 object-contain lg:max-w-none"
        />
      )}
      <div>
        <p className="caption text-bronze">{game.state === "open" ? "Open" : "Opens later"}</p>
        <h2 className="display mt-2 text-5xl">{more ? <Link to={more.to}>{game.name}</Link> : game.name}</h2>
        {more && <p className="mt-4 max-w-md">{more.text}</p>}
        <p className="mt-4 flex flex-wrap items-center gap-x-6 gap-y-3 empty:hidden">
          {game.state === "open" && game.playUrl && (
            <ButtonLink to={game.playUrl} aria-label={`Play ${game.name}`}>
              Play
            </ButtonLink>
          )}
          {more && (
            <TextLink to={more.to} className="inline-flex min-h-11 items-center">
              About {game.name}
            </TextLink>
          )}
        </p>
      </div>
      <div className="max-lg:sm:col-start-2">
        {game.holdings.length > 0 && (
          <>
            <h3 className="caption text-bone-muted">Of yours, it counts</h3>
            <ul className="mt-3 border-b border-line">
              {game.holdings.map(({ kind, count }) => {
                const known = kinds.find((one) => one.kind === kind);
                return (
                  <li key={kind} className="flex min-h-11 items-center justify-between gap-4 border-t border-line">
                    {known ? (
                      <TextLink to={`${paths.inventory}?kind=${known.list}`} className="inline-flex min-h-11 min-w-11 items-center">
                        {known.title}
                      </TextLink>
                    ) : (
                      kind
                    )}
                    <span className="display figures text-2xl">{count.toLocaleString("en")}</span>
                  </li>
                );
              })}
            </ul>
          </>
        )}
        {game.board && (
          <div className="mt-5 text-bone-muted">
            <Standing board={game.board} />
          </div>
        )}
      </div>
    </li>
  );
}

function List() {
  const { data, error, refetch } = useQuery(gamesQuery);
  if (!data && error) {
    return <DidNotLoad what="Your games" error={error} onRetry={refetch} />;
  }
  if (!data) {
    return (
      <div className="grid gap-16" aria-busy="true">
        {[0, 1, 2].map((index) => (
          <Skeleton key={index} className="h-80 border-t border-line bg-transparent" />
        ))}
      </div>
    );
  }
  return (
    <ul className="grid gap-16 lg:gap-20">
      {data.map((game) => (
        <One key={game.id} game={game} />
      ))}
    </ul>
  );
}

/** The games, with the player's holdings that each uses. */
export function Games() {
  return (
    <OwnPage
      caption="One inventory, every game"
      heading="My games"
      lead="What you own is yours in all of them; what it means there is for each to say."
    >
      <List />
    </OwnPage>
  );
}
