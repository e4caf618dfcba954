import { type ReactNode, useEffect, useRef } from "react";
import { Button } from "~/components/ui/button";
import { FailedLine } from "~/components/ui/failed-line";
import { Spinner } from "~/components/ui/spinner";
import { amountsIn } from "~/features/reward/amounts";
import { AmountFigures, amountsText } from "~/features/reward/components/amounts";
import { RewardTimeline } from "~/features/reward/components/reward-timeline";
import { isOver, type Reward, useRewards } from "~/features/reward/queries";
import { cn } from "~/lib/cn";
import { plural } from "~/lib/format";
import { tokenKey } from "~/lib/token";
import { type Burning, noteShown, putAway } from "../burn";
import { useShown } from "../news";
import { texts } from "../texts";
import { Breaking } from "./breaking";

const totalOf = ({ items }: Burning): number => items.reduce((sum, { amount }) => sum + amount, 0);

/** What is said while a burn has not reached a block. */
const waits: Partial<Record<Burning["state"], string>> = {
  sending: "Sending it to the chain.",
  waiting: "Waiting for your other action to finish.",
  confirming: "Waiting for the chain to take it.",
  late: "Not confirmed on chain yet. This page keeps checking.",
};

const states: Reward["state"][] = ["burned", "settled", "drawn", "sending", "done"];

/** The reward of a transaction that is the furthest from its end. */
function slowest(rewards: Reward[]): Reward | undefined {
  const failed = rewards.find(({ state }) => state === "failed");
  return rewards.filter(({ state }) => state !== "failed").sort((a, b) => states.indexOf(a.state) - states.indexOf(b.state))[0] ?? failed;
}

/** The way of a burn of which the server knows nothing yet. */
function ahead(burning: Burning): Reward {
  return {
    id: "",
    origin: burning.origin,
    state: "burned",
    message: "",
    tokenId: "",
    amount: 0,
    fateAmount: 0,
    isVipPiggy: false,
    grants: [],
    steps: [
      { step: "burned", ...(burning.burnedAt ? { at: burning.burnedAt } : {}) },
      { step: "settled" },
      { step: "sending" },
      { step: "done" },
    ],
  };
}

function Pictures({ burning }: { burning: Burning }) {
  const { items } = burning;
  return (
    <ul className="flex gap-4">
      {items.slice(0, 3).map((item) => (
        <li key={tokenKey(item)} className={cn("min-w-0", items.length > 1 ? "w-44" : "w-64")}>
          <img
            src={item.image}
            alt=""
            width={600}
            height={640}
            className="aspect-[600/640] w-full rounded bg-night-1 object-cover object-top"
          />
          <p className="mt-2 text-sm leading-tight">
            {item.amount > 1 && `${item.amount} × `}
            {item.name}
          </p>
        </li>
      ))}
    </ul>
  );
}

interface UnderWayProps {
  burning: Burning;
  reward: Reward | undefined;
  problem: ReactNode;
}

/** A burn whose reward is not known yet. */
function UnderWay({ burning, reward, problem }: UnderWayProps) {
  const { one, acting } = texts[burning.origin];
  const total = totalOf(burning);
  const wait = waits[burning.state] ?? "Burned. Waiting until the chain cannot take it back.";
  return (
    <div className="grid gap-x-16 gap-y-10 lg:grid-cols-[1fr_20rem]">
      <div>
        <h2 tabIndex={-1} className="display text-5xl outline-none">
          {acting} {plural(total, one)}
        </h2>
        <p role="status" className="mb-8 mt-4 flex items-center gap-4 text-lg">
          <Spinner color="var(--color-ember)" size={28} />
          {wait}
        </p>
        <Pictures burning={burning} />
        {problem}
      </div>
      <RewardTimeline reward={reward ?? ahead(burning)} />
    </div>
  );
}

interface ResultProps {
  burning: Burning;
  rewards: Reward[];
  problem: ReactNode;
  children?: ReactNode;
}

/** What it gave. */
function Result({ burning, rewards, problem, children }: ResultProps) {
  const { one, acted } = texts[burning.origin];
  const given = amountsIn(rewards);
  const vip = rewards.some(({ isVipPiggy }) => isVipPiggy);
  const failed = rewards.filter(({ state }) => state === "failed");
  const over = rewards.every(isOver);
  const reward = slowest(rewards);
  const names = burning.items.map(({ name, amount }) => (amount > 1 ? `${amount} × ${name}` : name)).join(", ");
  const nothing = failed.length === rewards.length;
  return (
    <div className="grid gap-x-16 gap-y-12 lg:grid-cols-[1fr_20rem]">
      {!nothing && (
        <div
          aria-hidden="true"
          className={cn("absolute inset-y-0 -inset-x-4 -z-10 overflow-clip sm:-inset-x-8", vip ? "text-rarity-legendary" : "text-bronze")}
        >
          <span
            className={
              "absolute left-0 top-[-14rem] size-[44rem] max-w-none rounded-full " +
              "bg-[radial-gradient(closest-side,color-mix(in_oklab,currentColor_20%,transparent),transparent)]"
            }
          />
        </div>
      )}
      <div className="animate-rise">
        {vip && !nothing && <p className="caption mb-3 text-rarity-legendary">VIP</p>}
        <h2 tabIndex={-1} className="display text-3xl outline-none">
          <span className="sr-only">
            {plural(totalOf(burning), one)} {acted}: {nothing ? "nothing could be given" : amountsText(given)}
          </span>
          <span aria-hidden="true">{nothing ? "This could not be given" : over ? "Yours" : "Inside was"}</span>
        </h2>
        {!nothing && (
          <div aria-hidden="true" className={cn("mt-5", vip && "[&_.text-bronze]:text-rarity-legendary")}>
            <AmountFigures amounts={given} />
          </div>
        )}
        <div className="mt-8 flex items-center gap-4">
          <span aria-hidden="true" className="flex -space-x-5">
            {burning.items.slice(0, 3).map((item) => (
              <img
                key={tokenKey(item)}
                src={item.image}
                alt=""
                width={600}
                height={640}
                className={
                  "aspect-square w-14 rounded-full border-2 border-night bg-night-1 object-cover object-[50%_30%] opacity-80 " +
                  "saturate-50"
                }
              />
            ))}
          </span>
          <p className="text-bone-muted">From {names}</p>
        </div>
        {failed.length > 0 && (
          <p role="alert" className="mt-4 max-w-xl border-l-2 border-bad pl-4">
            {failed[0]?.message || "Part of it could not be given. We are looking into it."}
          </p>
        )}
        {problem}
        <div className="mt-8 flex flex-wrap items-center gap-4">
          <Button onClick={() => putAway(burning.origin)}>Done</Button>
          {children}
        </div>
      </div>
      {reward && <RewardTimeline reward={reward} />}
    </div>
  );
}

/** Moves the focus to the panel's heading when the phase changes and nothing else has the focus. */
function useFocus(phase: string) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!phase || (document.activeElement && document.activeElement !== document.body)) return;
    panel.current?.querySelector<HTMLElement>("h2")?.focus({ preventScroll: true });
    panel.current?.scrollIntoView?.({ block: "nearest" });
  }, [phase]);
  return panel;
}

interface BurnPanelProps {
  burning: Burning;
  /** Links beside the button that puts the result away. */
  children?: ReactNode;
}

/** The player's last burn of an origin: on its way, the scene once its contents are known, and what it gave. */
export function BurnPanel({ burning, children }: BurnPanelProps) {
  const { origin, txId, items, shown = false } = burning;
  useShown(origin);
  const { data, error, refetch } = useRewards({ origin, txId }, txId !== undefined);
  const rewards = (txId && data) || []; // without a transaction the data is that of all
  const known = rewards.length > 0 && rewards.every(({ state }) => state !== "burned");
  const nothing = known && rewards.every(({ state }) => state === "failed");
  const phase = !known ? "under-way" : shown || nothing ? "result" : "scene";
  const panel = useFocus(phase);
  const problem = error && (
    <div className="mt-6">
      <FailedLine onRetry={refetch}>Its state did not load. It continues without this page.</FailedLine>
    </div>
  );
  return (
    <section
      ref={panel}
      aria-label={texts[origin].acting}
      data-burning={phase}
      className={cn("relative isolate border-y border-bronze-dim py-10", phase !== "result" && "min-h-[min(40rem,75svh)]")}
    >
      {phase === "under-way" && <UnderWay burning={burning} reward={slowest(rewards)} problem={problem} />}
      {phase === "scene" && (
        <Breaking origin={origin} items={items} vip={rewards.some(({ isVipPiggy }) => isVipPiggy)} onDone={() => noteShown(origin)} />
      )}
      {phase === "result" && (
        <Result burning={burning} rewards={rewards} problem={problem}>
          {children}
        </Result>
      )}
    </section>
  );
}
