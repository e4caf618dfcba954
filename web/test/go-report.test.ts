import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, it } from "vitest";

const script = resolve(import.meta.dirname, "../../scripts/go-report.mjs");
const journeys = "pantheon/test/e2e";

/** The report of events; failed journeys are run again by the command. */
function report(events: object[], command = "false") {
  const input = events.map((event) => JSON.stringify(event)).join("\n");
  const { stdout, status } = spawnSync(process.execPath, [script, "/test/(e2e|sale)$", command], { input, encoding: "utf8" });
  return { stdout, status };
}
const ends = (Action: "pass" | "fail", Package: string, Test?: string) => ({ Action, Package, ...(Test ? { Test } : {}), Elapsed: 1 });
const exit = { Action: "exit", Code: 1 };
const one = [ends("fail", journeys, "TestJourney_A"), ends("pass", journeys, "TestJourney_B"), ends("fail", journeys), exit];

it("a journey that fails and passes by itself is named as flaky in the end, with the load of the machine, and the run passes", () => {
  const { stdout, status } = report(one, "true");
  expect(stdout.trim().split("\n").at(-1)).toMatch(
    /^FLAKY TestJourney_A of pantheon\/test\/e2e: it failed at a load of [\d.]+ on \d+ cores/,
  );
  expect(status).toBe(0);
});

it("a journey that fails again fails the run", () => {
  const { stdout, status } = report(one, "false");
  expect(stdout).not.toContain("FLAKY");
  expect(status).toBe(1);
});

it.each([
  ["another test that fails", [...one, ends("fail", "pantheon/internal/store", "TestStore"), ends("fail", "pantheon/internal/store")]],
  ["a package that fails without a test, such as by a panic", [...one, ends("fail", "pantheon/test/chaos")]],
  ["a package that does not build", [...one, { Action: "build-fail", ImportPath: "pantheon/test/linear" }]],
  ["a go command that fails without a word", [exit]],
  ["more failed journeys than an accident explains", ["A", "B", "C", "D"].map((name) => ends("fail", journeys, `TestJourney_${name}`))],
])("%s fails the run, even if journeys pass by themselves", (_, events) => {
  expect(report(events, "true").status).toBe(1);
});

it("a run in which nothing fails passes", () => {
  expect(report([ends("pass", journeys, "TestJourney_A"), ends("pass", journeys), { Action: "exit", Code: 0 }]).status).toBe(0);
});
