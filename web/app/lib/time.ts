/** Formats times and dates, alike on all of the site. Not in format.ts, which every page loads. */

/** The time of day on 24 hours, everywhere on the site. */
const ofDay = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;

/** Formats a time (ISO 8601, or milliseconds since 1970), as "Jan 31, 2027, 14:05". */
export function dateTime(at: string | number): string {
  return new Date(at).toLocaleString("en", { day: "numeric", month: "short", year: "numeric", ...ofDay });
}

/** The same with the browser's time zone, for deadlines: "Jan 31, 2027, 14:05 GMT+1". */
export function zonedDateTime(at: string): string {
  return new Date(at).toLocaleString("en", { day: "numeric", month: "short", year: "numeric", ...ofDay, timeZoneName: "short" });
}

/** Formats the time of day of a time, as "14:05". */
export function timeOfDay(at: string | number): string {
  return new Date(at).toLocaleTimeString("en", ofDay);
}

/** The same to the second, for steps that follow each other: "14:05:09". */
export function exactTimeOfDay(at: string | number): string {
  return new Date(at).toLocaleTimeString("en", { ...ofDay, second: "2-digit" });
}

/** Formats the day of a time (ISO 8601) with its day of the week, as "Sunday, January 31, 2027". */
export function weekday(at: string): string {
  return new Date(at).toLocaleDateString("en", { weekday: "long", day: "numeric", month: "long", year: "numeric" });
}

/** Formats the day of a time (ISO 8601), as "January 31, 2027". */
export function day(at: string): string {
  return new Date(at).toLocaleDateString("en", { day: "numeric", month: "long", year: "numeric" });
}

/** The same, short: "Jan 31, 2027". */
export function shortDay(at: string): string {
  return new Date(at).toLocaleDateString("en", { day: "numeric", month: "short", year: "numeric" });
}

/** Formats the day of a time without its year, as "Jan 31". */
export function dayOfYear(at: string | number): string {
  return new Date(at).toLocaleDateString("en", { day: "numeric", month: "short" });
}

/** Formats the month of a time, as "Jan 2027". */
export function month(at: string | number): string {
  return new Date(at).toLocaleDateString("en", { month: "short", year: "numeric" });
}
