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
  "/getuserinfo": {
    title: "To the shop",
    description: "The door between this house and the shop: it tells the shop who is coming. The shop is not connected yet.",
    heading: "The shop is next door",
    text: "This is the door through which the shop will learn who is coming. It is not connected yet, and nothing has been told to anyone.",
    index: false,
  },
};
