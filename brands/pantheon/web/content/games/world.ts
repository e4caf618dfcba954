import { gods as cast } from "../collections/gods";

/** The world's places and gods as the atlas names them: those of the catalogue (`brands/pantheon/generator/words.yaml`). */

export interface Place {
  name: string;
  /** Where it lies on the picture of the land, which is 1000 units wide and high. */
  x: number;
  y: number;
  /** On which side of its mark the name stands. */
  side: "left" | "right" | "above" | "below";
  text: string;
}

/** In the order of the alphabet, articles aside. */
export const places: Place[] = [
  {
    name: "Ammoudi",
    x: 562,
    y: 706,
    side: "right",
    text: "An island of one beach. The sand is black and keeps the heat, so people sleep on it until noon.",
  },
  {
    name: "The Cistern",
    x: 388,
    y: 474,
    side: "below",
    text: "A lake under a town, with columns. Boats are for hire. Singing is forbidden, because it does not stop.",
  },
  {
    name: "Kethra",
    x: 302,
    y: 440,
    side: "right",
    text: "The city that counts. Its exchange has a roof, so that nobody can blame the weather.",
  },
  { name: "The Kiln Yard", x: 376, y: 376, side: "right", text: "Pots, tiles and pigs. What leaves it is warm, and some of it rattles." },
  {
    name: "The Lantern Quarter",
    x: 262,
    y: 610,
    side: "left",
    text: "Every house has a lamp and every lamp has a name. One is always out. It is somebody's turn.",
  },
  { name: "The Long Wall", x: 838, y: 440, side: "left", text: "Two hundred towers from the ice to the sea. One of them is awake." },
  {
    name: "Low Argo",
    x: 238,
    y: 706,
    side: "above",
    text: "Marsh and shipbuilders. The ships are good because the builders want to leave.",
  },
  {
    name: "Lysandria",
    x: 640,
    y: 866,
    side: "below",
    text: "The south of everything, with a chair in a hall. Innkeepers let their rooms by the reign.",
  },
  {
    name: "Mount Oran",
    x: 690,
    y: 252,
    side: "below",
    text: "It smokes, and did so before there was fire. Pyrrhamon says that it is not one of his.",
  },
  {
    name: "The Ninth Terrace",
    x: 508,
    y: 128,
    side: "left",
    text: "The highest place with a letter box. There are rooms to let below the house of the gods.",
  },
  {
    name: "Old Harbour",
    x: 340,
    y: 592,
    side: "below",
    text: "Where most people begin. The lamp on the mole has been lit every night but one, and that one is not spoken of.",
  },
  {
    name: "The Olive Steps",
    x: 226,
    y: 352,
    side: "left",
    text: "Four hundred steps and as many trees. Children play on them with pebbles, and win.",
  },
  { name: "Pharae", x: 716, y: 510, side: "right", text: "Horses, dust, and a good view of the wall from a safe distance." },
  { name: "The Quiet Bay", x: 722, y: 664, side: "above", text: "The Shipwright's yard. It had another name before she came." },
  {
    name: "The Salt Gate",
    x: 288,
    y: 508,
    side: "left",
    text: "Whatever leaves the harbour goes through it, and pays in salt or in gossip.",
  },
  {
    name: "Sarpe",
    x: 452,
    y: 822,
    side: "above",
    text: "An island of bell founders. Thalvyra's was cast here, and the bill is still open.",
  },
  { name: "Theras", x: 684, y: 592, side: "right", text: "White houses with blue doors. The paint was left over from the ships." },
  { name: "Upper Myle", x: 322, y: 262, side: "below", text: "There is no Lower Myle. There was." },
  { name: "Vell", x: 640, y: 374, side: "above", text: "A crossroads that became a town because nobody would give way." },
  { name: "The Windmills", x: 182, y: 426, side: "above", text: "Two of them. They grind when Zephyrine's children are in the mood." },
];

/** 44 px on a phone 390 px wide, where the picture is 374 px wide, as a radius on the picture. */
const finger = 59;

/** The radius within which a press on a phone means the place: at most a finger's, and never beyond halfway to another place. */
export const reachOf = (place: Place) =>
  Math.min(finger, ...places.filter((other) => other !== place).map((other) => Math.hypot(other.x - place.x, other.y - place.y) / 2));

export interface God {
  name: string;
  title: string;
  domain: string;
  /** What people do on the god's account. */
  custom: string;
}

const customs: Record<string, string> = {
  helikara: "One opens the east window for her, and says nothing until the kettle does.",
  keraunax: "When it thunders the good cups are put away. He means no harm by it.",
  thalvyra: "Sailors set their watches by her bell, and are late together.",
  dendrokos: "The oldest tree of a village is not felled. It may be a foot.",
  nyssaria: "At weddings a knot is tied, and then never looked at again.",
  pyrrhamon: "The first loaf goes back into the oven. He likes the crust.",
  selmene: "Debts are paid at full moon, to be in good company.",
  tavrekhon: "Once a season one leaves the house by a window, so that he is not alone in it.",
  ophelyx: "She is asked on an odd day and believed on an even one.",
  chalkanor: "Soldiers polish the outside of the helm only. The inside is his.",
  zephyrine: "Secrets are told with the shutters closed.",
  morvaion: "A coin is left on each milestone, for the next person who comes without one.",
};

/** The twelve in the order of the catalogue, which is that of their signs around the sky, from the top and clockwise. */
export const gods: God[] = cast.map(({ slug, name, title, domain }) => ({ name, title, domain, custom: customs[slug] ?? "" }));

/** The fragment that leads to what is told of a place or a god. */
export const idOf = (name: string) => name.toLowerCase().replaceAll(" ", "-");
