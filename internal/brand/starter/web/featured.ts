/** What the first page says and shows: up to three games and three collections, each with a page that it leads to. */
import scene from "./art/scene.svg";
import sword from "./art/sword.svg";

export const featured = {
  caption: "The market of Quest",
  heading: "Collect, buy and sell heroes",
  lead: "Collect heroes and what they carry, and trade them with other players.",
  gamesHeading: "The game",
  games: [{ title: "Quest", text: "One hero, one road, and what waits beside it.", to: "/quest", picture: scene }],
  collectionsText: "What players of Quest own.",
  collections: [{ title: "Swords", text: "From short to long.", to: "/kod-marketplace?collection=swords", picture: sword }],
} as const;
