import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newsKeyName } from "~/lib/news-key";
import { keys } from "~/lib/storage";
import { tabKeys } from "~/lib/tab-keys";

const policy = readFileSync(join(import.meta.dirname, "cookie-policy.mdx"), "utf8");

const used = [...Object.values(keys), ...Object.values(tabKeys), newsKeyName];

/** The keys of the policy's tables: the code in the first cell of a row. */
const listed = [...policy.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name);

describe("the cookie policy", () => {
  it.each(used)("lists the storage key %s", (key) => expect(listed).toContain(key));

  it("lists no key of ours that is not used", () => {
    const ours = listed.filter((name) => /^(pantheon\.|kod-|_dd_s_)/.test(name ?? ""));
    expect(ours.sort()).toEqual([...used].sort());
  });
});
