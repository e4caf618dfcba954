import type { ReactNode } from "react";
import { isOver, type Reward, useRewards, type Which } from "../queries";
import { RewardTimeline } from "./reward-timeline";

/** The most rewards that are shown with their timelines. */
const most = 4;

interface OpenRewardsProps {
  origin: Which["origin"];
  /** A transaction whose rewards the page shows already. */
  except?: string | undefined;
  /** The heading of a reward. */
  title: (reward: Reward) => ReactNode;
}

/** Rewards of an origin that are on their way, such as those of another tab's burns; nothing if there are none. */
export function OpenRewards({ origin, except, title }: OpenRewardsProps) {
  const { data } = useRewards({ origin });
  const open = (data ?? []).filter((reward) => !isOver(reward) && reward.txId?.toLowerCase() !== except?.toLowerCase());
  if (!open.length) return null;
  return (
    <section aria-label="On its way" className="grid gap-x-12 gap-y-8 border-b border-bronze-dim py-8 sm:grid-cols-2 lg:grid-cols-4">
      {open.slice(0, most).map((reward) => (
        <div key={`${reward.txId} ${reward.id} ${reward.contract} ${reward.tokenId}`}>
          <h2 className="display mb-5 text-2xl">{title(reward)}</h2>
          <RewardTimeline reward={reward} />
        </div>
      ))}
    </section>
  );
}
