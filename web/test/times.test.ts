import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { dateTime, day, exactTimeOfDay, timeOfDay, weekday, zonedDateTime } from "~/lib/time";

const app = resolve(import.meta.dirname, "../app");

/** What formats a time of day or a date by the browser. */
const byBrowser = /toLocale(Time|Date)String|DateTimeFormat|(date|time)Style|hour(12|Cycle)|new Date\([^)]*\)\.toLocaleString/;

it("times and dates are formatted in lib/time.ts only, so that all of the site writes them alike", () => {
  const files = readdirSync(app, { recursive: true, encoding: "utf8" }).filter((file) => /\.tsx?$/.test(file) && !file.includes(".test."));
  expect(files.filter((file) => byBrowser.test(readFileSync(join(app, file), "utf8")))).toEqual([join("lib", "time.ts")]);
});

it("times of day are on 24 hours", () => {
  const at = new Date(2027, 0, 31, 15, 4, 9).toISOString();
  expect(dateTime(at)).toBe("Jan 31, 2027, 15:04");
  expect(zonedDateTime(at)).toMatch(/^Jan 31, 2027, 15:04 \S+$/);
  expect(timeOfDay(at)).toBe("15:04");
  expect(exactTimeOfDay(at)).toBe("15:04:09");
  expect(weekday(at)).toBe("Sunday, January 31, 2027");
  expect(day(at)).toBe("January 31, 2027");
  expect(timeOfDay(new Date(2027, 0, 31, 0, 5).toISOString())).toBe("00:05");
});
