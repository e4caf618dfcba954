import { expect, it } from "vitest";
import { holdTime, inWords, minutesInWords, payTime, rules } from "./rules";

it("writes the rules' times in words", () => {
  expect([holdTime, payTime, inWords(rules.maxUnits)]).toEqual(["ten minutes", "five minutes", "twenty"]);
  expect([1, 15, 30, 60, 100, 120].map(minutesInWords)).toEqual(["a minute", "fifteen minutes", "30 minutes", "an hour", "100 minutes", "two hours"]);
});
