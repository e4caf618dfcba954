import { burned } from "#brand/packs";
import type { Origin } from "./burn";

/** What the pages say of burns of an origin. */
export interface Texts {
  /** What is burned, in the singular. */
  one: string;
  /** What the player does: "Break". */
  act: string;
  /** The same to one of them, and to several: "Break it". */
  it: string;
  them: string;
  /** What is happening: "Breaking". */
  acting: string;
  /** What has happened: "broken". */
  acted: string;
}

const one = (origin: Origin) => burned[origin] ?? "item";

export const texts: Record<Origin, Texts> = {
  pack: { one: one("pack"), act: "Open", it: "Open it", them: "Open them", acting: "Opening", acted: "opened" },
  "piggy-bank": { one: one("piggy-bank"), act: "Break", it: "Break it", them: "Break them", acting: "Breaking", acted: "broken" },
  ark: { one: one("ark"), act: "Break up", it: "Break it up", them: "Break them up", acting: "Breaking up", acted: "broken up" },
  "power-pack": { one: one("power-pack"), act: "Open", it: "Open it", them: "Open them", acting: "Opening", acted: "opened" },
};
