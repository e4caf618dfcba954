// Verifies receipts by the site's implementation. Each line of standard input is a receipt's text as a JSON string. Each is answered
// by a line with what was found. Its verdict is "right", "outcome" if the draw gives something else, "malformed" if the outcome is none
// that a draw gives, "refused" for any other fault, or "crash".
import { join } from "node:path";
import { createInterface } from "node:readline";
import { runnerImport } from "vite";

const web = join(import.meta.dirname, "../../../web");
const { module } = await runnerImport(join(web, "app/features/packs/verify.ts"), {
  configFile: false,
  root: web,
  logLevel: "error",
  resolve: { alias: [{ find: /^@noble\/curves\/bls12-381$/, replacement: join(import.meta.dirname, "bls12-381.mjs") }] },
});

function verdictOf(reason) {
  if (reason.startsWith("The draw gives")) return "outcome";
  return reason.includes("“outcome") ? "malformed" : "refused";
}

function judge(text) {
  try {
    const finding = module.checkReceipt(text);
    if (!finding.right) return { verdict: verdictOf(finding.reason), reason: finding.reason };
    const { beacon, outcome } = finding.receipt;
    return { verdict: "right", round: beacon.round, pity: outcome.pity, instead: outcome.instead, tokens: outcome.tokens.length };
  } catch (error) {
    return { verdict: "crash", reason: String(error?.stack ?? error) };
  }
}

for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
  if (!process.stdout.write(`${JSON.stringify(judge(JSON.parse(line)))}\n`))
    await new Promise((resume) => process.stdout.once("drain", resume));
}
