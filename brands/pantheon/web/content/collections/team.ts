/** Those who stand for the trades of the studio. They are of the games' world: names, homes and bynames are the catalogue's. */
export interface Sitter {
  /** Of the picture. */
  id: string;
  name: string;
  byname: string;
  trade: string;
  text: string;
}

export const sitters: readonly Sitter[] = [
  {
    id: "accountant",
    name: "Sostrate of the Ninth Terrace",
    byname: "the Even-Handed",
    trade: "Keeps the books",
    text:
      "She counts in whole units and has never rounded in anybody's favour, ours included. Every balance in the house " +
      "passes her desk once, going forwards, and is written down before it moves. The pig on the desk is empty. She " +
      "broke it herself, to be sure, and mended it, to be kind.",
  },
  {
    id: "engraver",
    name: "Myron of the Kiln Yard",
    byname: "the Bright-Handed",
    trade: "Draws everything",
    text:
      "Twelve gods in ten metals, forty-three relics and every face on the market are his. He works from numbers: the " +
      "same number, the same drawing, down to the last hatch. Somebody once asked him to use a photograph. He went " +
      "for a walk.",
  },
  {
    id: "cartographer",
    name: "Zosime of Vell",
    byname: "the Far-Walking",
    trade: "Maps and stories",
    text:
      "She paced out the Long Wall twice, because the first figure looked too good. The places, the habits of the " +
      "gods and the words on the back of every sword are hers. She takes out one adjective a visit.",
  },
  {
    id: "watch",
    name: "Telon of the Cistern",
    byname: "the Wide-Awake",
    trade: "Keeps the lamps lit",
    text:
      "He watches the machines so that you can watch the seconds run on a hold. When a part of the house stops, the " +
      "page says so in plain words. He wrote those words at four in the morning, and they are friendly.",
  },
  {
    id: "notary",
    name: "Korinna of Upper Myle",
    byname: "the Oath-Keeping",
    trade: "Signs, or does not",
    text:
      "What goes on a chain stays there, so she reads it first. She keeps the list of things your wallet may be asked " +
      "to sign. It is short, and what she is proud of is not on it. Her ring seals a refusal as neatly as a promise.",
  },
  {
    id: "tester",
    name: "Pelios of the Olive Steps",
    byname: "the Bee-Keeping",
    trade: "Looks for bugs",
    text:
      "He keeps them in hives behind the house, labelled, so that none gets back in unseen. He will send a thousand " +
      "people after the last item on the market to see who gets it. One does. He had hoped for honey.",
  },
  {
    id: "chaos",
    name: "Menon of the Long Wall",
    byname: "the Twice-Returned",
    trade: "Breaks it on purpose",
    text:
      "He cuts the house off in the middle of a purchase, at twelve different places, lights the lamps again and " +
      "counts the purse. Nothing may be lost and nothing paid twice. He brings his own axe.",
  },
  {
    id: "harbour",
    name: "Rhoda of Old Harbour",
    byname: "the Unhurried",
    trade: "Answers the letters",
    text:
      "She reads to the end and then answers what was asked. None of her forms wants a password, so whoever asks you " +
      "for one is not hers. The jug is tea.",
  },
  {
    id: "tides",
    name: "Nerine of the Quiet Bay",
    byname: "the Tide-Turning",
    trade: "Says when",
    text:
      "She decides when a season begins, and so far she has decided: not yet. She would sooner open a door late than " +
      "twice. The signs that say “opens later” hang by her window, and she takes them down one by one.",
  },
  {
    id: "music",
    name: "Linos of the Lantern Quarter",
    byname: "the Silver-Tongued",
    trade: "Sound, one day",
    text:
      "There is no sound on this site. He has written it anyway: one note for a hold, two for a purchase, and none at " +
      "all for an error, which should be read in quiet.",
  },
];
