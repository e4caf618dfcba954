import { type Rarity, rarities } from "~/components/ui/rarity";

/** When what of an opening is shown. All times are in milliseconds. */

/** How long a pack is held until it is charged. */
export const chargeTime = 900;

/** The maximum time from the tear to the grid: 10 seconds, less what a slow machine needs to draw. */
const limit = 9_500;

const tear = 900;
const fan = 800;
const leak = 1000;
/** The last flip, and how long its card is then shown alone. */
const last = 2300;
const gather = 400;

/** The time from one flip to the next, before it is shortened to keep the limit. */
const pace: Record<Rarity, number> = { common: 420, uncommon: 460, rare: 560, epic: 680, legendary: 800, mythic: 900 };

/** Without motion: the maximum time from one card to the next, that of all cards, and how long all are shown. */
const still = { pace: 500, all: 6000, hold: 1200 };

/** The parts of the sequence, in their order. */
export type Phase = "tear" | "fan" | "flips" | "leak" | "last" | "gather" | "grid";

/** From a time on: the phase, and how many cards are face up. */
export interface Step {
  at: number;
  phase: Phase;
  shown: number;
}

export interface Schedule {
  /** The indexes of the pulls in the order in which they are shown: the rarest last, equals as drawn. */
  order: number[];
  /** The steps by time, the first at 0; the last is the grid. */
  steps: Step[];
}

/** The sequence of an opening; without motion the cards appear one after another. */
export function schedule(pulls: readonly { rarity: Rarity }[], reduced = false): Schedule {
  const rank = (index: number) => rarities.indexOf(pulls[index]?.rarity ?? "common");
  const order = pulls.map((_, index) => index).sort((a, b) => rank(a) - rank(b) || a - b);
  const n = order.length;
  if (n === 0) return { order, steps: [{ at: 0, phase: "grid", shown: 0 }] };

  if (reduced) {
    const each = Math.min(still.pace, Math.floor(still.all / n));
    const steps = order.map((_, i): Step => ({ at: i * each, phase: i === n - 1 ? "last" : "flips", shown: i + 1 }));
    return { order, steps: [...steps, { at: (n - 1) * each + still.hold, phase: "grid", shown: n }] };
  }

  const waits = order.slice(0, -1).map((index) => pace[pulls[index]?.rarity ?? "common"]);
  const sum = waits.reduce((all, wait) => all + wait, 0);
  const factor = Math.min(1, (limit - tear - fan - leak - last - gather) / sum);
  const steps: Step[] = [
    { at: 0, phase: "tear", shown: 0 },
    { at: tear, phase: "fan", shown: 0 },
  ];
  let at = tear + fan;
  waits.forEach((wait, i) => {
    steps.push({ at, phase: "flips", shown: i + 1 });
    at += Math.floor(wait * factor);
  });
  for (const [phase, lasts] of [
    ["leak", leak],
    ["last", last],
    ["gather", gather],
    ["grid", 0],
  ] as const) {
    steps.push({ at, phase, shown: phase === "leak" ? n - 1 : n });
    at += lasts;
  }
  return { order, steps };
}

/** The step at a time since the tear, and when the next begins; none follows the grid. */
export function stepAt({ steps }: Schedule, elapsed: number): { step: Step; next: number | undefined } {
  const following = steps.findIndex(({ at }) => at > elapsed);
  return { step: steps.at(following < 0 ? -1 : Math.max(0, following - 1)) as Step, next: steps[following]?.at };
}
