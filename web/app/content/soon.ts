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
