import { useQuery } from "@tanstack/react-query";
import { OwnPage } from "~/components/site/own-page";
import { DidNotLoad, Skeleton } from "~/components/ui/states";
import { cn } from "~/lib/cn";
import { day } from "~/lib/time";
import { type Achievement, achievementsQuery } from "../queries";
import { Medal } from "./medal";

const grid = "grid grid-cols-1 gap-x-8 gap-y-12 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4";

function Line({ achievement: { id, name, text, goal, progress, reachedAt } }: { achievement: Achievement }) {
  return (
    <li className="grid grid-cols-[7rem_1fr] gap-5 sm:grid-cols-1">
      <Medal id={id} share={progress / goal} className="h-auto w-full sm:max-w-56" />
      <div className="border-t border-bronze-dim pt-4">
        <h2 className={cn("display text-3xl", !reachedAt && "text-bone-muted")}>{name}</h2>
        <p className="mt-1.5 text-bone-muted">{text}</p>
        <p className="figures mt-2 text-sm">
          {reachedAt ? (
            <>
              Reached on <time dateTime={reachedAt}>{day(reachedAt)}</time>
            </>
          ) : goal === 1 ? (
            <span className="text-bone-muted">Not yet</span>
          ) : (
            <span className="text-bone-muted">
              {progress} of {goal}
            </span>
          )}
        </p>
      </div>
    </li>
  );
}

function Case() {
  const { data, error, refetch } = useQuery(achievementsQuery);
  if (!data && error) {
    return <DidNotLoad what="Your achievements" error={error} onRetry={refetch} />;
  }
  if (!data) {
    return (
      <div className={grid} aria-busy="true">
        {[0, 1, 2, 3].map((index) => (
          <Skeleton key={index} className="grid grid-cols-[7rem_1fr] gap-5 bg-transparent sm:grid-cols-1">
            <div className="aspect-square w-full rounded-full bg-night-1 sm:max-w-56" />
            <div className="h-36 border-t border-line" />
          </Skeleton>
        ))}
      </div>
    );
  }
  return (
    <ul className={grid}>
      {data.map((achievement) => (
        <Line key={achievement.id} achievement={achievement} />
      ))}
    </ul>
  );
}

/** The player's achievements, as medals: struck ones, and blank ones still to be reached. */
export function Achievements() {
  const { data } = useQuery(achievementsQuery);
  const reached = data?.filter((a) => a.reachedAt).length;
  return (
    <OwnPage
      caption="Struck in bronze"
      heading="Achievements"
      lead="Counted only from what you did on the chain. Medals have no monetary value."
      aside={<p className="display figures mt-5 min-h-[1lh] text-3xl text-bronze">{data && `${reached} of ${data.length}`}</p>}
    >
      <Case />
    </OwnPage>
  );
}
