/** Pages whose capability opens later: what each will be, said honestly, at the address it will keep. */

export interface SoonPage {
  title: string;
  description: string;
  heading: string;
  text: string;
}

export const soonPages = {
  "/king-of-destiny": {
    title: "King of Destiny",
    description: "A game of thrones, blades and one crown. Its arms and relics already trade on the market.",
    heading: "One seat. One crown.",
    text: "King of Destiny is a contest for a throne that never stays warm. Its swords, shields and relics can be bought and sold on the market today; the gates of the game itself open later.",
  },
  "/immortal-siege": {
    title: "Immortal Siege",
    description: "Hold the long wall with heroes who have died before and did not care for it.",
    heading: "The wall holds until you don't.",
    text: "Immortal Siege puts your heroes on a wall and the whole night in front of it. The page with rules, seasons and rewards is being written.",
  },
  "/infinimerge": {
    title: "InfiniMerge",
    description: "Two small things become one greater thing, and then you look for its twin.",
    heading: "Two become one. Again.",
    text: "InfiniMerge is a game of patience and appetite: merge two of a kind and see what they turn into. Its page opens with the first season.",
  },
  "/elder-gods": {
    title: "The Elder Gods",
    description: "Generation zero: twelve gods, ten castings of each.",
    heading: "Twelve gods, cast ten times.",
    text: "Their portraits are on the market already. The gallery with all twelve, what each of them rules and who keeps them now opens here.",
  },
  "/infinipass": {
    title: "InfiniPass",
    description: "A seat in the agora, or every door in the house.",
    heading: "One pass, every door.",
    text: "The Community pass is a seat in the agora; the Ultimate pass opens every door behind it. What each of them carries will be listed here.",
  },
  "/vault/claim": {
    title: "God Vaults",
    description: "Each Elder God keeps a vault, opened once a season.",
    heading: "The vaults are sealed for now.",
    text: "Once a season every Elder God opens a vault for the one who keeps it. The season has not begun; your gods will wait.",
  },
  "/webstore": {
    title: "Webstore",
    description: "Destiny packs, gold packs and cosmetics for the games.",
    heading: "The shelves are being filled.",
    text: "Destiny packs, gold packs and cosmetics will be sold here, paid for in ordinary money. Until then the market has everything that lives on chain.",
  },
  "/our-team": {
    title: "Our Team",
    description: "The people who draw the gods and count the coins.",
    heading: "Hands, not faces, so far.",
    text: "Smiths, scribes, cartographers and one very patient accountant. They will introduce themselves here.",
  },
  "/kod-leaderboard": {
    title: "Leaderboard",
    description: "Who holds the crown of King of Destiny this week.",
    heading: "No names are carved yet.",
    text: "When the first week of King of Destiny has been fought, its two hundred best will stand here, and you will find yourself among them without scrolling.",
  },
} as const satisfies Record<`/${string}`, SoonPage>;

export type SoonPath = keyof typeof soonPages;
