import { type RefObject, useEffect, useRef } from "react";
import { report } from "~/lib/report";
import { shine } from "./card";
import type { CardLayout } from "./card-layout";
import type { Light } from "./light";
import type { Pull } from "./pull";
import type { Phase } from "./schedule";

interface Lit {
  phase: "idle" | "charging" | "charged" | Phase;
  /** The card that was flipped last, and its index. */
  latest: Pull | undefined;
  index: number;
  /** The card that is shown last. */
  rarest: Pull | undefined;
  table: CardLayout;
}

/**
 * Lights the scene by its phase, in a layer of canvases: the first for sparks, the others for rays. It begins once the code for it
 * is there; the scene is whole without it.
 */
export function useLight(layer: RefObject<HTMLElement | null>, on: boolean, { phase, latest, index, rarest, table }: Lit): void {
  const light = useRef<Light>(undefined);
  useEffect(() => {
    if (!on) return;
    let gone = false;
    import("./light")
      .then((module) => {
        const [sparks, ...beams] = [...(layer.current?.querySelectorAll("canvas") ?? [])];
        if (!gone && sparks) light.current = module.light(sparks, beams);
      })
      .catch((error: unknown) => report("the light of the opening did not load", error));
    return () => {
      gone = true;
      light.current?.stop();
      light.current = undefined;
    };
  }, [layer, on]);

  const last = rarest?.rarity;
  useEffect(() => {
    const now = light.current;
    if (!now) return;
    const colour = `--color-rarity-${last}`;
    now.charge(phase === "charging" ? 1 : phase === "charged" ? 0.6 : 0);
    if (phase === "tear") {
      now.rays("--color-ember-bright", 1);
      now.burst(0, -140, "--color-ember-bright", 70, 420);
    } else if (phase === "leak" && last) now.rays(colour, 0.4 + shine[last] * 0.5);
    else if (phase === "last" && last) {
      now.rays(colour, 0.5 + shine[last] * 0.5);
      now.burst(0, 0, colour, Math.round(30 + shine[last] * 110), 320 + shine[last] * 260);
    } else now.rays("--color-ember-bright", 0);
  }, [phase, last]);

  const rarity = latest?.rarity;
  const place = table.places[index];
  const { x, y } = place ?? { x: 0, y: 0 };
  useEffect(() => {
    if (phase !== "flips" || !rarity || index < 0) return;
    light.current?.burst(x, y, `--color-rarity-${rarity}`, Math.round(4 + shine[rarity] * 22), 160);
  }, [phase, rarity, index, x, y]);
}
