// Reads `go test -json` from standard input. Prints each package's result, the full output of failures, and at the
// end the ten slowest tests. Exits with 1 if a test failed, or if a line {"Action":"exit","Code":1} says that the go command did.
//
//   go test -json ./... | node scripts/go-report.mjs
//
// With a pattern of packages and a command, a failed test of these packages is run once more by itself, with -run and the
// package appended. If it passes then, it is named as flaky, with the load of the machine when it failed, and does not count as failed.
//
//   go test -json ./test/... | node scripts/go-report.mjs /test/e2e$ go test -count=1
import { spawnSync } from "node:child_process";
import { availableParallelism, loadavg } from "node:os";
import { createInterface } from "node:readline";

const slowest = 10;
/** If more tests fail, that is no accident, and none is run again. */
const mostAgain = 3;
const [packages, command, ...args] = process.argv.slice(2);

/** Output by package and test, until it is known whether it passed. */
const output = new Map();
/** [seconds, package, test] of each test that is not part of another. */
const times = [];
/** By package and test, the seconds of its longest part: a test's own time leaves out its parallel parts. */
const longest = new Map();

/** The failed tests that are no part of another, with the load of the machine. */
const failed = [];
/** Packages that failed, and those in which a test did. */
const [failedPackages, explained] = [new Set(), new Set()];
let status = 0;

for await (const line of createInterface({ input: process.stdin })) {
  let event;
  try {
    event = JSON.parse(line);
  } catch {
    console.log(line); // of the go command itself
    continue;
  }
  const { Action: action, Package: pkg = "", ImportPath: built, Test: test = "", Output: text, Elapsed: seconds } = event;
  const [root] = test.split("/");
  const key = `${pkg} ${root}`;
  switch (action) {
    case "build-output":
      process.stdout.write(text);
      break;
    case "output":
      if (test === "" && /^(ok|FAIL|---|panic|\?)\s/.test(text) && !/^\?|^FAIL$/.test(text)) process.stdout.write(text);
      else output.set(key, (output.get(key) ?? "") + text);
      break;
    case "exit":
      status = event.Code;
      break;
    // biome-ignore lint/suspicious/noFallthroughSwitchClause: what failed is timed as what passed is.
    case "fail":
      if (test === "") failedPackages.add(pkg);
      else if (test === root) {
        failed.push({ pkg, test, load: loadavg()[0] });
        explained.add(pkg);
      }
      // A package's result includes the tests that have not ended, as after a panic or a timeout.
      for (const [k, text] of output) if (test === "" ? k.startsWith(`${pkg} `) : k === key && test === root) process.stdout.write(text);
    // falls through
    case "pass":
    case "skip":
      longest.set(key, Math.max(longest.get(key) ?? 0, seconds));
      if (test !== root) break;
      output.delete(key);
      if (test !== "") times.push([longest.get(key), pkg, test]);
      break;
    case "build-fail":
      failedPackages.add(built);
      console.log(`FAIL	${built} [build failed]`);
  }
}

times.sort((a, b) => b[0] - a[0]);
console.log(`\nThe ${Math.min(slowest, times.length)} slowest tests:`);
for (const [seconds, pkg, test] of times.slice(0, slowest)) console.log(`${seconds.toFixed(1).padStart(7)} s  ${pkg}  ${test}`);

/** Whether a failed test passes when it is run once more, with nothing beside it. */
function passesAlone({ pkg, test }) {
  console.log(`\n${test} of ${pkg} is run once more by itself:`);
  const again = spawnSync(command, [...args, "-run", `^${test}$`, pkg], { encoding: "utf8", maxBuffer: 1 << 28 });
  console.log(again.status === 0 ? "ok" : `${again.stdout ?? ""}${again.stderr ?? ""}${again.error ?? ""}`);
  return again.status === 0;
}

const again = command && failed.length <= mostAgain ? failed.filter(({ pkg }) => new RegExp(packages).test(pkg)) : [];
const flaky = again.filter(passesAlone);
for (const { pkg, test, load } of flaky) {
  console.log(
    `\nFLAKY ${test} of ${pkg}: it failed at a load of ${load.toFixed(1)} on ${availableParallelism()} cores, ` +
      "and passed by itself. Find the cause.",
  );
}
const unexplained = [...failedPackages].some((pkg) => !explained.has(pkg)) || (status !== 0 && failed.length === 0);
process.exitCode = unexplained || flaky.length < failed.length ? 1 : 0;
