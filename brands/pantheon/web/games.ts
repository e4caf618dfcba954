/** What the player's page of games shows of each, by its id: its own page, its picture, and how it uses holdings. */
import immortalSiege from "./art/scene-immortal-siege.svg";
import infiniMerge from "./art/scene-infinimerge.svg";
import kingOfDestiny from "./art/scene-king-of-destiny.svg";
import { pages } from "./pages.ts";
import { roles } from "./roles.ts";

export const games: Record<string, { to: string; picture: string; text: string }> = {
  "king-of-destiny": {
    to: pages.kingOfDestiny,
    picture: kingOfDestiny,
    text: "It reads the numbers on your arms. Packs may hold more of them, and an avatar is the face you go in with.",
  },
  infinimerge: {
    to: pages.infiniMerge,
    picture: infiniMerge,
    text: "It brings its own pebbles. Nothing in a wallet helps, and nothing is missing from an empty one.",
  },
  "immortal-siege": { to: roles.immortalSiege, picture: immortalSiege, text: "Your immortals take their places on the wall before dark." },
};
