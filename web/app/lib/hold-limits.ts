/** The limits of holding without buying, spelled out for running text. */
import { minutesInWords, rules } from "./rules";

const within = (minutes: number, window: number) => `${minutesInWords(minutes)} within ${minutesInWords(window)}`;

/** For how long a player may hold of one listing without buying, and how long the player then waits, in words. */
export const listingLimit = within(rules.listingMinutes, rules.listingWindowMinutes);
export const listingWait = minutesInWords(rules.listingWaitMinutes);
/** For how long a player may hold units without buying, their times added up, and how long the player then waits, in words. */
export const unitLimit = within(rules.unitMinutes, rules.unitWindowMinutes);
export const unitWaits =
  `${minutesInWords(rules.firstWaitMinutes)}, the next time ${minutesInWords(rules.secondWaitMinutes)}, ` +
  `then ${minutesInWords(rules.laterWaitMinutes)}`;
/** After how long a player must leave a listing's last free unit to others, and for how long, in words. */
export const turnTime = minutesInWords(rules.turnMinutes);
export const turnWait = minutesInWords(rules.turnWaitMinutes);
