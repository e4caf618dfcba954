import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";

const app = resolve(import.meta.dirname, "../app");
const files = readdirSync(app, { recursive: true, encoding: "utf8" }).filter((file) => /\.tsx?$/.test(file) && !file.includes(".test."));
const code = new Map(files.map((file) => [file, readFileSync(join(app, file), "utf8")]));
const withCode = (pattern: RegExp) => files.filter((file) => pattern.test(code.get(file) ?? ""));

// A function of the router that is called after an await acts on whatever page is shown by then.
it("only lib/navigation.ts has the router's own functions that navigate or change the address", () => {
  const own = /\b(useNavigate|useSearchParams|useSubmit|useFetcher|redirect|Navigate|useRevalidator)\b[^;]*\bfrom "react-router"/;
  expect(withCode(own)).toEqual([join("lib", "navigation.ts")]);
});

it("only what ends a session, begins the visit or closes the site changes the address past the router", () => {
  const past = /\blocation\.(assign|replace)\(|\blocation\.href\s*=|\bhistory\.(push|replace)State\(|\bwindow\.open\(/;
  expect(withCode(past).sort()).toEqual([
    join("features", "session", "boot.ts"),
    join("features", "session", "session.ts"),
    join("lib", "country.ts"),
    join("lib", "navigation.ts"),
  ]);
});
