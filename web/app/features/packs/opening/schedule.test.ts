import { describe, expect, it } from "vitest";
import { type Rarity, rarities } from "~/components/ui/rarity";
import { cardLayout } from "./card-layout";
import { schedule, stepAt } from "./schedule";

const pulls = (...drawn: Rarity[]) => drawn.map((rarity) => ({ rarity }));
const many = (n: number) => pulls(...Array.from({ length: n }, (_, i) => rarities[(i * 7) % 6] ?? "common"));

describe("the schedule of an opening", () => {
  it("shows the rarest last, and equals as they were drawn", () => {
    expect(schedule(pulls("mythic", "common", "rare", "common", "epic")).order).toEqual([1, 3, 2, 4, 0]);
  });

  it("tears, fans, flips, leaks light, flips the last and gathers", () => {
    const { steps } = schedule(pulls("rare", "common", "mythic"));
    expect(steps).toEqual([
      { at: 0, phase: "tear", shown: 0 },
      { at: 900, phase: "fan", shown: 0 },
      { at: 1700, phase: "flips", shown: 1 },
      { at: 2120, phase: "flips", shown: 2 },
      { at: 2680, phase: "leak", shown: 2 },
      { at: 3680, phase: "last", shown: 3 },
      { at: 5980, phase: "gather", shown: 3 },
      { at: 6380, phase: "grid", shown: 3 },
    ]);
  });

  it("has the light leak even before a single card", () => {
    expect(schedule(pulls("common")).steps.map(({ phase }) => phase)).toEqual(["tear", "fan", "leak", "last", "gather", "grid"]);
  });

  it.each([1, 2, 12, 20, 60])("of %i cards takes at most 10 seconds, with motion or without", (n) => {
    for (const drawn of [many(n), pulls(...Array.from({ length: n }, () => "mythic" as const))]) {
      for (const reduced of [false, true]) {
        const { steps } = schedule(drawn, reduced);
        expect(steps.at(-1)?.phase).toBe("grid");
        expect(steps.at(-1)?.at).toBeLessThanOrEqual(10_000);
        expect(steps.map(({ at }) => at)).toEqual(steps.map(({ at }) => at).sort((a, b) => a - b));
      }
    }
  });

  it("uses shorter flips for 20 cards than for 2", () => {
    const between = ({ steps }: ReturnType<typeof schedule>) => (steps[3]?.at ?? 0) - (steps[2]?.at ?? 0);
    expect(between(schedule(many(20)))).toBeLessThan(between(schedule(many(2))));
  });

  it("without motion has neither tear nor fan, and shows a card at each step", () => {
    expect(schedule(pulls("epic", "common"), true)).toEqual({
      order: [1, 0],
      steps: [
        { at: 0, phase: "flips", shown: 1 },
        { at: 500, phase: "last", shown: 2 },
        { at: 1700, phase: "grid", shown: 2 },
      ],
    });
  });

  it("of nothing is the grid", () => {
    expect(schedule([]).steps).toEqual([{ at: 0, phase: "grid", shown: 0 }]);
  });

  it("says which step a time belongs to, and when the next begins", () => {
    const one = schedule(pulls("rare"));
    expect(stepAt(one, 0)).toEqual({ step: { at: 0, phase: "tear", shown: 0 }, next: 900 });
    expect(stepAt(one, 899)).toMatchObject({ step: { phase: "tear" }, next: 900 });
    expect(stepAt(one, 900)).toMatchObject({ step: { phase: "fan" }, next: 1700 });
    expect(stepAt(one, 3000)).toMatchObject({ step: { phase: "last" } });
    expect(stepAt(one, 60_000)).toEqual({ step: { at: 5400, phase: "grid", shown: 1 }, next: undefined });
  });
});

describe("the table", () => {
  const stages = [
    { width: 320, height: 420 },
    { width: 390, height: 480 },
    { width: 1440, height: 560 },
  ];

  it.each(stages)("keeps every card within $width × $height", (stage) => {
    for (const n of [1, 2, 5, 12, 20]) {
      const { width, places, grows } = cardLayout(n, stage);
      expect(places).toHaveLength(n);
      for (const { x, y } of places) {
        expect(Math.abs(x) + width / 2).toBeLessThanOrEqual(stage.width / 2);
        expect(Math.abs(y) + (width * 2) / 3).toBeLessThanOrEqual(stage.height / 2);
      }
      expect(width * grows).toBeLessThanOrEqual(stage.width);
      expect(width * grows * (4 / 3)).toBeLessThanOrEqual(stage.height);
    }
  });

  it("has no card on another", () => {
    for (const stage of stages) {
      const { width, places } = cardLayout(20, stage);
      for (const [i, a] of places.entries()) {
        for (const b of places.slice(i + 1)) expect(Math.abs(a.x - b.x) >= width || Math.abs(a.y - b.y) >= width).toBe(true);
      }
    }
  });
});
