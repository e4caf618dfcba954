/**
 * The twelve as the gallery shows them, in the order of their token ids. Name, title, domain, metal and the first words
 * are those of the tokens (`brands/pantheon/generator/words.yaml`, a test compares them); the rest is told here only.
 */
export interface God {
  /** Also the fragment of their place in the gallery. */
  slug: string;
  name: string;
  title: string;
  domain: string;
  /** What the first casting is made of. */
  metal: string;
  /** What stands on the token. */
  text: string;
  manners: string;
}

export const gods: readonly God[] = [
  {
    slug: "helikara",
    name: "Helikara",
    title: "Bearer of the First Sun",
    domain: "Dawn",
    metal: "gold",
    text: "She lifted the sun out of the sea with both hands and has been a little singed ever since.",
    manners:
      "She is up before anyone and cannot see why that should be held against her. Bakers and ferrymen keep her " +
      "hours. She arrives early, says she is sorry, and opens the shutters.",
  },
  {
    slug: "keraunax",
    name: "Keraunax",
    title: "the Storm Anvil",
    domain: "Thunder",
    metal: "iron",
    text: "He hammers the weather flat. What you hear is the hammer; what you see is the spark.",
    manners:
      "Every casting in the house has lain on his anvil once, which is why all of them hum a little when it rains. " +
      "Tell him no secrets. He has one volume.",
  },
  {
    slug: "thalvyra",
    name: "Thalvyra",
    title: "Lady of the Deep Bell",
    domain: "Sea",
    metal: "verdigris",
    text: "A drowned bell tolls when she breathes. Sailors set their watches by it.",
    manners:
      "What is lost at sea she gives back, in her own time and seldom to the owner. Old Harbour keeps a shelf for it. " +
      "She has never hurried and never been late, and sees no difference between the two.",
  },
  {
    slug: "dendrokos",
    name: "Dendrokos",
    title: "the Root Crown",
    domain: "Wilds",
    metal: "wood",
    text: "He has been growing for nine thousand years and has only now begun to frown.",
    manners:
      "Nobody knows at what. Birds nest in the crown and leave in autumn without giving notice. He answers letters in " +
      "spring. When the twelve vote he is counted as absent, being still on the stairs.",
  },
  {
    slug: "nyssaria",
    name: "Nyssaria",
    title: "Weaver Behind the Veil",
    domain: "Fate",
    metal: "ivory",
    text: "She works without looking. Looking, she says, would be cheating.",
    manners:
      "People who break a seal thank her for what comes out, or blame her. One day a receipt will say that it was " +
      "arithmetic. She has had the draft read to her, and agrees.",
  },
  {
    slug: "pyrrhamon",
    name: "Pyrrhamon",
    title: "the Forge Heart",
    domain: "Fire",
    metal: "obsidian",
    text: "Cracks run through him, and light runs through the cracks.",
    manners:
      "He is the only one of the twelve who knocks; doors have taught him that. In winter the others find reasons to " +
      "sit near him, and he is glad to believe that it is the conversation.",
  },
  {
    slug: "selmene",
    name: "Selmene",
    title: "Keeper of Borrowed Light",
    domain: "Moon",
    metal: "silver",
    text: "Everything she shines was lent to her. She has never been late to give it back.",
    manners:
      "She keeps the house's only book of debts, and every debt in it is her own. Once a month she is full and once " +
      "she is nothing at all. Her face is the same for both.",
  },
  {
    slug: "tavrekhon",
    name: "Tavrekhon",
    title: "King of Turnings",
    domain: "Labyrinth",
    metal: "bronze",
    text: "He built the maze to be alone, and then he waited at its centre to be found.",
    manners:
      "He gives directions gladly and at length, and two in three arrive. He remembers everyone who left by the front " +
      "door. One of them still has an axe of his.",
  },
  {
    slug: "ophelyx",
    name: "Ophelyx",
    title: "the Serpent Oracle",
    domain: "Prophecy",
    metal: "verdigris",
    text: "Seven mouths whisper the truth about her. She tells you the eighth version.",
    manners:
      "All eight come true, which is the trouble. She answers before she is asked, takes no fee, and has never been " +
      "wrong about the weather in Pharae. The open eye is the third one. It blinks when you lie about your age.",
  },
  {
    slug: "chalkanor",
    name: "Chalkanor",
    title: "Shield of the Gate",
    domain: "War",
    metal: "bronze",
    text: "Nobody has seen the face under the helm, not even the helm.",
    manners:
      "He keeps the door of the house and looks at what you carry, never at who you say you are. He has ended every " +
      "war that he stood in front of, by standing there. Off duty he is exactly the same.",
  },
  {
    slug: "zephyrine",
    name: "Zephyrine",
    title: "Mother of Four Winds",
    domain: "Sky",
    metal: "marble",
    text: "Her children leave every morning in four directions and bring back gossip.",
    manners:
      "By noon she has heard it all and believes about a quarter. The north one never writes. In the evening she " +
      "combs her hair, and the sails at the Windmills turn until she is done.",
  },
  {
    slug: "morvaion",
    name: "Morvaion",
    title: "Ferryman of Ash",
    domain: "Underworld",
    metal: "ivory",
    text: "He takes one coin for the crossing, and keeps a lamp lit for anyone without one.",
    manners:
      "He has counted the coins and could retire. At night he walks the hall, looks in on the other eleven and turns " +
      "down the lamps they have forgotten. People fear him until they have met him.",
  },
];
