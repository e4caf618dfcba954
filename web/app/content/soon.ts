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
};
