import { ProgressStep } from "~/components/ui/progress-step";
import { useNow } from "~/lib/clock";
import { clock } from "~/lib/format";
import { exactTimeOfDay } from "~/lib/time";
import { isOver, type Reward, type Step } from "../queries";

const titles: Record<Step["step"], string> = {
  burned: "Burned",
  settled: "Final on the chain",
  drawn: "Drawn",
  sending: "On its way",
  done: "Yours",
};

/** What the server says of a reward that failed, or this. */
const failed = "This could not be given. We are looking into it.";

/** When a step is expected, updated every second; not read aloud. */
function Expected({ at }: { at: string }) {
  const now = useNow();
  const left = Date.parse(at) - now;
  return (
    <span role="timer" aria-live="off" className="figures text-sm text-bone-muted">
      {now === 0 ? " " : left > 0 ? `in about ${clock(left)}` : "any moment now"}
    </span>
  );
}

/** What is said aloud when the reward moves on. */
function spoken(reward: Reward, next: Step | undefined): string {
  if (reward.state === "failed") return reward.message || failed;
  const last = reward.steps.findLast(({ at }) => at);
  return [last && `${titles[last.step]}.`, next && `Next: ${titles[next.step]}.`].filter(Boolean).join(" ");
}

/**
 * The time of a step, in milliseconds; no later than those after it: the time of the burn is its block's, which may be
 * ahead of the server's.
 */
function timeOf(steps: Step[], index: number): number {
  return Math.min(...steps.slice(index).flatMap(({ at }) => (at ? [Date.parse(at)] : [])));
}

/** The way of a reward from the burn to the player, with the times of what happened and what is expected. */
export function RewardTimeline({ reward, className }: { reward: Reward; className?: string }) {
  const { steps } = reward;
  const next = isOver(reward) ? undefined : steps.find(({ at }) => !at);
  return (
    <div className={className}>
      <p role="status" aria-live="polite" className="sr-only">
        {spoken(reward, next)}
      </p>
      <ol>
        {steps.map(({ step, at, expected }, index) => {
          const now = step === next?.step;
          return (
            <ProgressStep key={step} title={titles[step]} done={Boolean(at)} now={now} last={index === steps.length - 1} className="pb-6">
              {at ? (
                <time dateTime={at} className="figures text-sm text-bone-muted">
                  {exactTimeOfDay(timeOf(steps, index))}
                </time>
              ) : (
                expected && <Expected at={expected} />
              )}
            </ProgressStep>
          );
        })}
      </ol>
      {reward.state === "failed" && (
        // Read aloud above.
        <p aria-hidden="true" className="mt-6 border-l-2 border-bad pl-4">
          {reward.message || failed}
        </p>
      )}
    </div>
  );
}
