import { expect, it } from "vitest";
import { listingLimit, listingWait, turnTime, turnWait, unitLimit, unitWaits } from "./hold-limits";
import { holdTime, inWords, minutesInWords, payTime, rules } from "./rules";

// Spec: UI-14
it("writes the rules' times in words", () => {
  expect([holdTime, payTime, inWords(rules.maxUnits)]).toEqual(["ten minutes", "five minutes", "twenty"]);
  expect([listingLimit, listingWait]).toEqual(["fifteen minutes within two hours", "an hour"]);
  expect([unitLimit, unitWaits]).toEqual(["100 minutes within an hour", "ten minutes, the next time 30 minutes, then two hours"]);
  expect([turnTime, turnWait]).toEqual(["four minutes", "a minute"]);
  expect([1, 15, 30, 60, 100, 120].map(minutesInWords)).toEqual([
    "a minute",
    "fifteen minutes",
    "30 minutes",
    "an hour",
    "100 minutes",
    "two hours",
  ]);
});
