import { slug } from "../../brand/index.ts";

/** Pages whose capability opens later: what each will be, said honestly, at the address it will keep. */

export interface SoonPage {
  title: string;
  /** 70 to 160 characters, as every page's. */
  description: string;
  heading: string;
  text: string;
  /** False where a page is of use to one visitor only: search engines are asked not to list it. */
  index?: false;
}

/** Pages for everybody. */
export const soonPages: Record<string, SoonPage> = {
  "/king-of-destiny": {
    title: "King of Destiny",
    description: "A contest for one crown on a seat that never stays warm. Its arms and relics trade on the market already.",
    heading: "One seat. One crown",
    text: "King of Destiny is a contest for a throne that never stays warm. Its swords, shields and relics can be bought and sold on the market today; the gates of the game itself open later.",
  },
  "/king-of-destiny/pre-register": {
    title: "Pre-register for King of Destiny",
    description: "Leave an address for the day the gates of King of Destiny open. The list is not open yet; the market is.",
    heading: "The list is not open",
    text: "You will be able to leave an e-mail address here and hear from us once, on the day the game opens. We are not taking addresses yet.",
  },
  "/immortal-siege": {
    title: "Immortal Siege",
    description: "Hold the long wall with heroes who have died before and did not care for it. Rules and seasons are being written.",
    heading: "The wall holds until it does not",
    text: "Immortal Siege puts your heroes on a wall and the whole night in front of it. The page with rules, seasons and rewards is being written.",
  },
  "/infinimerge": {
    title: "InfiniMerge",
    description: "Two small things become one greater thing, and then you look for its twin. A game of patience and appetite.",
    heading: "Two become one. Again",
    text: "InfiniMerge is a game of patience and appetite: merge two of a kind and see what they turn into. Its page opens with the first season.",
  },
  "/elder-gods": {
    title: "The Elder Gods",
    description: "Generation zero: twelve gods, ten castings of each. Their portraits are on the market; the gallery opens here.",
    heading: "Twelve gods, cast ten times",
    text: "Their portraits are on the market already. The gallery with all twelve, what each of them rules and who keeps them now opens here.",
  },
  "/infinipass": {
    title: "InfiniPass",
    description: "The Community pass is a seat in the agora, the Ultimate pass every door in the house. What they carry will be listed here.",
    heading: "One pass, every door",
    text: "The Community pass is a seat in the agora; the Ultimate pass opens every door behind it. What each of them carries will be listed here.",
  },
  [`/${slug}-universe`]: {
    title: "The universe",
    description: "One star chart over three games: the places, the gods who meet there and the tides they are counted by. Opens later.",
    heading: "One chart over all",
    text: "The games lie under one star chart. Its places and the roads between them will be drawn here, as far as anyone has walked them.",
  },
  "/mount-olympus": {
    title: "Mount Olympus",
    description: "The mountain where the twelve keep house. What is played for up there, and by whom, will be told on this page.",
    heading: "The stairs are being cut",
    text: "The mountain stands; the way up is not finished. What is played for at the top will be told here.",
  },
  "/mount-olympus/leaderboard": {
    title: "Leaderboard of Mount Olympus",
    description: "Who stands how high on the mountain. The ledger of Mount Olympus opens with its first season; nobody has climbed yet.",
    heading: "Nobody has climbed yet",
    text: "The ledger of the mountain opens with its first season. Until then every step is free.",
  },
  "/olympus-journey": {
    title: "Olympus Journey",
    description: "The road from the harbour to the mountain, in stages, with what is asked and what is given at each. Opens later.",
    heading: "The road is marked",
    text: "Stones have been set along it, but no one keeps the tolls yet. The stages of the journey will be listed here.",
  },
  "/shipwright": {
    title: "The Shipwright",
    description: "She takes arks apart and pays in followers and tokens. The yard is not open yet; your arks keep well until then.",
    heading: "The yard is still shut",
    text: "Bring an ark, and the Shipwright takes it apart: the followers aboard and the tokens in the hold are yours. The yard opens later; arks keep well.",
  },
  "/games": {
    title: "Games",
    description: "King of Destiny, InfiniMerge and Immortal Siege: three games that share one treasury, and what can be carried between them.",
    heading: "Three games, one treasury",
    text: "King of Destiny, InfiniMerge and Immortal Siege share their gods, their coins and your wallet. An overview of the three will stand here.",
  },
  "/nfts": {
    title: "Collections",
    description: "Gods, passes, avatars, relics, arks and packs: every collection of the house, with what is known of each. Opens later.",
    heading: "All that is kept",
    text: "Gods, passes, relics, arks and packs are on the market already. An overview of every collection will stand here.",
  },
  "/vault/claim": {
    title: "God Vaults",
    description: "Once a season every Elder God opens a vault for the one who keeps it. The season has not begun; your gods will wait.",
    heading: "The vaults are sealed for now",
    text: "Once a season every Elder God opens a vault for the one who keeps it. The season has not begun; your gods will wait.",
  },
  "/webstore": {
    title: "Webstore",
    description: "Destiny packs, gold packs and cosmetics for the games, paid for in ordinary money. The shelves are still being filled.",
    heading: "The shelves are being filled",
    text: "Destiny packs, gold packs and cosmetics will be sold here, paid for in ordinary money. Until then the market has everything that lives on chain.",
  },
  "/our-team": {
    title: "Our Team",
    description: "The people who draw the gods and count the coins: smiths, scribes, cartographers and one very patient accountant.",
    heading: "Hands, not faces, so far",
    text: "Smiths, scribes, cartographers and one very patient accountant. They will introduce themselves here.",
  },
  "/kod-leaderboard": {
    title: "Leaderboard",
    description: "Who holds the crown of King of Destiny this week, and the two hundred behind. The first week has not been fought yet.",
    heading: "No names are carved yet",
    text: "When the first week of King of Destiny has been fought, its two hundred best will stand here, and you will find yourself among them without scrolling.",
  },
  "/forgot-password": {
    title: "Forgotten password",
    description: "A way back in for those who have lost their password. Mail is not sent yet; write to the support until it is.",
    heading: "The key-cutter is out",
    text: "New passwords by mail are not offered yet. Until they are, whoever runs this portal can help: see the support page.",
    index: false,
  },
  "/reset-password": {
    title: "Mail on its way",
    description: "Where you will be told that the mail with the way to a new password has been sent. Mail is not sent yet.",
    heading: "No mail has been sent",
    text: "This is where we will say that a mail is on its way to you. New passwords by mail are not offered yet.",
    index: false,
  },
  "/new-password": {
    title: "New password",
    description: "Where the link in a mail leads to set a new password. Such mails are not sent yet, so no link is good today.",
    heading: "No new keys today",
    text: "The link in a mail will lead here to set a new password. Such mails are not sent yet.",
    index: false,
  },
  "/auth/callback/twitter": {
    title: "Sign-in with X",
    description: "Where X sends you back after you have signed in there. Signing in that way is not offered yet; e-mail and password are.",
    heading: "Nobody came from X",
    text: "Signing in by way of X is not offered yet. An e-mail address and a password do the same.",
    index: false,
  },
  "/getuserinfo": {
    title: "To the shop",
    description: "The door between this house and the shop: it tells the shop who is coming. The shop is not connected yet.",
    heading: "The shop is next door",
    text: "This is the door through which the shop will learn who is coming. It is not connected yet, and nothing has been told to anyone.",
    index: false,
  },
  "/api-doc": {
    title: "API",
    description: "Every call of the portal's interface, with what it takes and what it answers, for those who build beside us. Opens later.",
    heading: "Every call, in one book",
    text: "The contract of the interface is served at /api/openapi.json already. A page that reads it out will stand here.",
  },
};

/** Pages for signed-in players. */
export const soonPlayerPages: Record<string, SoonPage> = {
  "/portal/edit": {
    title: "Profile settings",
    description: "Where a player changes the name others read, the password and the wallet of their own. Not open yet.",
    heading: "Names are in ink",
    text: "Here you will change your display name, your password and your own wallet. Until then they stay as you gave them.",
    index: false,
  },
  "/portal/edit/activity": {
    title: "Activity",
    description: "What happened on a player's account, entry by entry and with its time. The books are kept; the page is not open yet.",
    heading: "The book is closed",
    text: "What happens on your account is written down already. The page that lets you read it opens later.",
    index: false,
  },
  "/portal/edit/achievements": {
    title: "Achievements",
    description: "What a player has done that is worth a line in the ledger, and what is still to do. Not open yet.",
    heading: "Deeds, to be counted",
    text: "What you have done will be counted here when there is somebody to count it.",
    index: false,
  },
  "/portal/my-games": {
    title: "My games",
    description: "The games a player has played, and how far. The page opens with the first season of the first of them.",
    heading: "No game has begun",
    text: "The games you play will stand here, with how far you are in each. None has begun its first season yet.",
    index: false,
  },
  "/portal/my-immortals": {
    title: "My immortals",
    description: "The immortals a player keeps, with what each has lived through. They can be seen in the inventory until this opens.",
    heading: "They are resting",
    text: "Your immortals will have a page of their own here. Until then they stand in your inventory.",
    index: false,
  },
  "/portal/power-pack": {
    title: "Power packs",
    description: "The power packs a player holds, and what is inside once they are opened. Opening is not possible yet.",
    heading: "Still tied up",
    text: "Your power packs will be opened here. Until then they stand in your inventory, tied.",
    index: false,
  },
  "/shipwright/account/followers": {
    title: "Followers",
    description: "The followers a player brought ashore from arks, by kind. The Shipwright's yard is not open yet.",
    heading: "No one is ashore yet",
    text: "The followers you bring ashore will be counted here, by kind. The Shipwright's yard is not open yet.",
    index: false,
  },
  "/shipwright/account/arks": {
    title: "Arks",
    description: "The arks a player holds, and what became of those taken to the Shipwright. The yard is not open yet.",
    heading: "Your arks are moored",
    text: "Your arks will lie here, with what became of those you took to the Shipwright. The yard is not open yet.",
    index: false,
  },
  "/shipwright/account/tokens": {
    title: "Tokens",
    description: "The tokens a player found in the holds of arks, by kind. The Shipwright's yard is not open yet.",
    heading: "The holds are shut",
    text: "The tokens from your arks' holds will be counted here, by kind. The Shipwright's yard is not open yet.",
    index: false,
  },
};
