// Reads `go test -json` from standard input. Prints each package's result, the full output of failures, and at the
// end the ten slowest tests.
//
//   go test -json ./... | node scripts/go-report.mjs
import { createInterface } from "node:readline";

const slowest = 10;

/** Output by package and test, until it is known whether it passed. */
const output = new Map();
/** [seconds, package, test] of each test that is not part of another. */
const times = [];
/** By package and test, the seconds of its longest part: a test's own time leaves out its parallel parts. */
const longest = new Map();

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
    case "fail":
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
      console.log(`FAIL	${built} [build failed]`);
  }
}

times.sort((a, b) => b[0] - a[0]);
console.log(`\nThe ${Math.min(slowest, times.length)} slowest tests:`);
for (const [seconds, pkg, test] of times.slice(0, slowest)) console.log(`${seconds.toFixed(1).padStart(7)} s  ${pkg}  ${test}`);
