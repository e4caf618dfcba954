import { paths } from "~/lib/paths";
import { pages } from "./pages.ts";

export interface Entry {
  label: string;
  to: string;
}

export interface Group {
  label: string;
  /** The feature flag that switches this menu on. */
  flag: string;
  entries: Entry[];
}

/** The main menu. */
export const navigation: (Entry | Group)[] = [
  { label: "Leaderboard", to: paths.leaderboard },
  { label: "King Of Destiny", to: pages.kingOfDestiny },
  {
    label: "Collections",
    flag: "2",
    entries: [
      { label: "God Vaults", to: pages.godVaults },
      { label: "InfiniPass", to: pages.infiniPass },
      { label: "Elder Gods", to: pages.elderGods },
    ],
  },
  { label: "Webstore", to: paths.webstore },
  { label: "Our Team", to: pages.team },
  {
    label: "Other Games",
    flag: "4",
    entries: [
      { label: "InfiniMerge", to: pages.infiniMerge },
      { label: "Immortal Siege", to: paths.immortalSiege },
    ],
  },
];

/** The footer's links to pages. */
export const links: Entry[] = [
  { label: "King Of Destiny", to: pages.kingOfDestiny },
  { label: "InfiniPass", to: pages.infiniPass },
  { label: "Elder Gods", to: pages.elderGods },
  { label: "Our Team", to: pages.team },
  { label: "InfiniMerge", to: pages.infiniMerge },
  { label: "Immortal Siege", to: paths.immortalSiege },
];

/** The footer's last line. */
export const smallPrint: Entry[] = [
  { label: "Support", to: paths.support },
  { label: "Whitepaper", to: pages.whitepaper },
  { label: "Odds of packs", to: paths.odds },
  { label: "Terms of use", to: paths.terms },
  { label: "Privacy", to: paths.privacy },
  { label: "Cookies", to: pages.cookies },
];
