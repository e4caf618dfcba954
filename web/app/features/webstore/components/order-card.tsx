import { Fragment, type ReactNode } from "react";
import { TextLink } from "~/components/ui/link";
import { isRarity, RarityBadge } from "~/components/ui/rarity";
import { packName } from "~/features/packs/draw/kinds";
import { isSealed } from "~/features/packs/openings";
import { isOver, type Reward } from "~/features/reward/queries";
import { cn } from "~/lib/cn";
import { paths } from "~/lib/paths";
import { dateTime, zonedDateTime } from "~/lib/time";
import { type Order, useUsdc } from "../queries";
import { grantText, isRefunded, statusOf } from "../texts";
import { RewardPicture } from "./pictures";

/** The states of a reward in words; `refunded` is whether the whole order was paid back. */
function stateOf({ state, opening, grants }: Reward, refunded: boolean): { text: string; tone: "good" | "bad" | "open" } {
  const later = isOver({ state }) ? undefined : grants.find((grant) => grant.state === "pending" && grant.notBefore)?.notBefore;
  if (later) return { text: `Sent after ${zonedDateTime(later)}`, tone: "open" };
  switch (state) {
    case "burned":
    case "settled":
      return { text: opening ? "Being drawn" : "Being prepared", tone: "open" };
    case "drawn":
    case "sending":
      return { text: "On its way to you", tone: "open" };
    case "done":
      if (refunded) return { text: "Delivered before the refund", tone: "open" };
      return { text: grants.some(({ notBefore }) => notBefore) ? "In your wallet" : "Yours", tone: "good" };
    case "failed":
      return { text: "Not delivered", tone: "bad" };
    case "cancelled":
      return { text: "Refunded", tone: "bad" };
  }
}

const tones = { good: "text-good", bad: "text-bad", open: "text-ember-bright" };

/** What a reward is: a pack with what was drawn, or what was bought. */
function Name({ reward: { opening, grants } }: { reward: Reward }) {
  const usdc = useUsdc();
  const parts = grants.map((grant) => grantText(grant, usdc)).filter(Boolean);
  if (!opening) return <span className="block font-bold">{parts.join(", ") || "What you bought"}</span>;
  const { drop, rarity, kind } = opening;
  const name = drop && opening.name; // before the draw it is that of what was bought
  const more = parts.filter((part) => part !== name).join(", ");
  return (
    <>
      <span className="block font-bold">{name || packName(kind)}</span>
      {name && (
        <span className="flex flex-wrap items-center gap-x-3 text-sm text-bone-muted">
          {isRarity(rarity) && <RarityBadge rarity={rarity} />}
          <span>
            from the {packName(kind).toLowerCase()}
            {more && `: ${more}`}
          </span>
        </span>
      )}
    </>
  );
}

/** The pack of a reward as it is before the draw. */
function veiled(reward: Reward): Reward {
  const { openingId = "", kind = "", packLevel = "", round = 0, roundAt = "" } = reward.opening ?? {};
  return { ...reward, grants: [], opening: { openingId, kind, packLevel, round, roundAt } };
}

interface RewardRowProps {
  reward: Reward;
  /** Whether the whole order was paid back. */
  refunded: boolean;
  /** Whether it is a pack that was drawn and that the player has not opened. */
  isVeiled: boolean;
}

function RewardRow({ reward: whole, refunded, isVeiled }: RewardRowProps) {
  const reward = isVeiled ? veiled(whole) : whole;
  const { text, tone } = isVeiled ? ({ text: "Drawn: open it above", tone: "open" } as const) : stateOf(reward, refunded);
  return (
    <li
      className={
        "grid grid-cols-[3.5rem_minmax(0,1fr)] items-center gap-x-4 gap-y-1 border-t border-line py-3 " +
        "sm:grid-cols-[3.5rem_minmax(0,1fr)_auto]"
      }
    >
      <span
        className={
          "row-span-2 block aspect-[600/640] w-14 self-start overflow-hidden rounded border border-line bg-night-2 " + "sm:row-span-1"
        }
      >
        <RewardPicture reward={reward} />
      </span>
      <div className="min-w-0">
        <Name reward={reward} />
        {reward.state === "failed" && (
          <p className="text-sm">{reward.message || "This could not be given to you. We are looking into it."}</p>
        )}
      </div>
      <p className="flex flex-wrap items-center gap-x-5 sm:justify-end">
        <span className={tones[tone]}>{text}</span>
        {reward.opening && (
          <TextLink to={paths.opening(reward.opening.openingId)} className="inline-flex min-h-11 items-center">
            Receipt of the draw
          </TextLink>
        )}
      </p>
    </li>
  );
}

interface OrderCardProps {
  order: Order;
  /** The level of its heading. */
  heading: "h1" | "h2";
  /** Whether the player has not seen yet what a pack held. */
  isVeiled?: (reward: Reward) => boolean;
  /** What stands below the heading. */
  children?: ReactNode;
}

/** An order: its lines, and what each gave. */
export function OrderCard({ order, heading: Heading, isVeiled = () => false, children }: OrderCardProps) {
  const { number, paidAt, lines, rewards } = order;
  const status = statusOf(order);
  return (
    <article aria-label={`Order ${number}`}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-8 gap-y-1">
        <Heading className={cn("display", Heading === "h2" ? "text-3xl" : children ? "text-4xl" : "text-[clamp(3.5rem,8vw,7rem)]")}>
          Order {number}
        </Heading>
        <p className="text-bone-muted">
          <span className={status === "Paid" ? "text-good" : "text-bad"}>{status}</span>, <time dateTime={paidAt}>{dateTime(paidAt)}</time>
        </p>
      </div>
      {children}
      <dl className="figures mt-4 grid grid-cols-[minmax(0,1fr)_auto] gap-x-6 gap-y-1">
        {[...lines.entries()].map(([at, { name, quantity, refunded, waiting }]) => (
          <Fragment key={at}>
            <dt>{name}</dt>
            <dd className="text-right text-bone-muted">
              {quantity.toLocaleString("en")} paid
              {refunded > 0 && <span className="text-bad">, {refunded.toLocaleString("en")} refunded</span>}
              {waiting > 0 && (
                <span className="text-ember-bright">, {waiting.toLocaleString("en")} held until our support has looked at it</span>
              )}
            </dd>
          </Fragment>
        ))}
      </dl>
      {rewards.length > 0 ? (
        <ul className="mt-5 border-b border-line">
          {rewards.map((reward) => (
            <RewardRow key={reward.id} reward={reward} refunded={isRefunded(order)} isVeiled={!isSealed(reward) && isVeiled(reward)} />
          ))}
        </ul>
      ) : (
        <p className="mt-5 text-bone-muted">{status === "Paid" ? "What it gives is being prepared." : "Nothing is given for it."}</p>
      )}
    </article>
  );
}
