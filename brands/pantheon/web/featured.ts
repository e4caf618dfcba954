/** What the first page shows of the games and collections. Pictures may lie in this folder too, as SVG or a raster image. */
import god from "./art/god-thunder.svg";
import pass from "./art/pass-ultimate.svg";
import piggy from "./art/piggy-bank.svg";
import immortalSiege from "./art/scene-immortal-siege.svg";
import infiniMerge from "./art/scene-infinimerge.svg";
import kingOfDestiny from "./art/scene-king-of-destiny.svg";

/** A card that leads to a page of this site (`/games`) or, by https, to one elsewhere. */
export interface Card {
  title: string;
  /** One short sentence. */
  text: string;
  to: `/${string}` | `https://${string}`;
  /** The picture's address: square for games, 3 : 4 for collections. */
  picture: string;
}

/** What the first page says, and what it shows. */
export interface Featured {
  /** Above the heading. */
  caption: string;
  heading: string;
  /** What one can do here, in one sentence. */
  lead: string;
  gamesHeading: string;
  /** Up to three; the first is shown large. */
  games: readonly Card[];
  collectionsText: string;
  /** Up to three. */
  collections: readonly Card[];
}

export const featured: Featured = {
  caption: "Hold a god for ten minutes",
  heading: "Collect, buy and sell game items",
  lead: "Open packs, collect gods, blades and relics of three games, and trade them with other players.",
  gamesHeading: "Three games, one treasury",
  collectionsText: "Each piece is drawn from its own number, once, and stays as it was drawn.",
  games: [
    {
      title: "Immortal Siege",
      text: "Hold the long wall with heroes who have died before and did not care for it.",
      to: "/immortal-siege",
      picture: immortalSiege,
    },
    {
      title: "King of Destiny",
      text: "There is one seat, one crown and one question. Arm yourself well and answer it.",
      to: "/king-of-destiny",
      picture: kingOfDestiny,
    },
    {
      title: "InfiniMerge",
      text: "Two small things become one greater thing, and then you look for its twin.",
      to: "/infinimerge",
      picture: infiniMerge,
    },
  ],
  collections: [
    { title: "The Elder Gods", text: "Twelve gods, ten castings of each.", to: "/elder-gods", picture: god },
    { title: "InfiniPasses", text: "A seat in the agora, or every door in the house.", to: "/infinipass", picture: pass },
    {
      title: "Piggy Banks",
      text: "Full of Fate. You can break yours open.",
      // A placeholder: put in your own article.
      to: "https://en.wikipedia.org/wiki/Piggy_bank",
      picture: piggy,
    },
  ],
};
