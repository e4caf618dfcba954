// Verifies receipts, one a line of the given file, by the site's implementation; prints what they were as JSON.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { runnerImport } from "vite";

const web = join(import.meta.dirname, "../../../web");
const { module } = await runnerImport(join(web, "app/features/packs/verify.ts"), { configFile: false, root: web, logLevel: "error" });
const texts = (await readFile(process.argv[2], "utf8")).trim().split("\n");
const counts = { verified: 0, rounds: [], pity: 0, instead: 0, tokens: 0 };
for (const text of texts) {
  const finding = module.checkReceipt(text);
  if (!finding.right) {
    console.error(`${finding.reason}\n${text}`);
    process.exit(1);
  }
  const { beacon, outcome } = finding.receipt;
  counts.verified++;
  counts.rounds.push(beacon.round);
  counts.pity += outcome.pity;
  counts.instead += outcome.instead;
  counts.tokens += outcome.tokens.length;
}
counts.rounds = [...new Set(counts.rounds)];
console.log(JSON.stringify(counts));
