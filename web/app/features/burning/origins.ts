import type { Origin } from "./burn";

/** What the pages say of burns of an origin. */
export interface Words {
  /** What is burned, in the singular. */
  one: string;
  /** What the player does: "Break". */
  act: string;
  /** What is happening: "Breaking". */
  acting: string;
  /** What has happened: "broken". */
  acted: string;
}

export const words: Record<Origin, Words> = {
  pack: { one: "pack", act: "Open", acting: "Opening", acted: "opened" },
  "piggy-bank": { one: "piggy bank", act: "Break", acting: "Breaking", acted: "broken" },
  ark: { one: "ark", act: "Break up", acting: "Breaking up", acted: "broken up" },
  "power-pack": { one: "power pack", act: "Open", acting: "Opening", acted: "opened" },
};
