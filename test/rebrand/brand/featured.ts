import { brand } from "./index.ts";
import lamp from "./lamp.svg";

export const featured = {
  games: [
    { title: "The Long Watch", text: "Somebody has to stay awake.", to: "/king-of-destiny", picture: lamp },
    { title: "Rope and Tar", text: "Two knots make a ladder.", to: "/infinimerge", picture: lamp },
    { title: "Low Tide", text: "What the sea leaves is yours until it comes back.", to: "/immortal-siege", picture: lamp },
  ],
  collections: [
    { title: "Figureheads", text: "Carved once each.", to: "/elder-gods", picture: lamp },
    { title: "Berths", text: "A place on the quay.", to: "/infinipass", picture: lamp },
    { title: brand.piggyBanksArticle.label, text: "Bring a hammer.", to: brand.piggyBanksArticle.href, picture: lamp },
  ],
} as const;
