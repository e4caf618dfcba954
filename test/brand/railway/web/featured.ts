/** What the first page says and shows. */
import scene from "./art/scene.svg";

export const featured = {
  caption: "The market of the Night Express",
  heading: "Drive your own train",
  lead: "Collect engines and wagons, and trade them with other drivers.",
  gamesHeading: "The game",
  games: [{ title: "Night Express", text: "One line, one night, and a timetable to keep.", to: "/night-express", picture: scene }],
  collectionsText: "What runs on the line.",
  collections: [
    { title: "Engines", text: "Every one is the only one.", to: "/kod-marketplace?collection=engines", picture: scene },
    { title: "Wagons", text: "Coal, mail and sleepers.", to: "/kod-marketplace?collection=wagons", picture: scene },
  ],
} as const;
