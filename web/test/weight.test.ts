import { describe, expect, it } from "vitest";
import { overBudget, weigh } from "../scripts/weight.ts";

const script = (kib: number, source = "") => ({ source, gzip: new Uint8Array(kib * 1024) });

describe("the weight of a page", () => {
  it("is that of the scripts it names and of all they import, each once, and not of what is loaded later", () => {
    const scripts = new Map([
      ["/assets/page.js", script(1, `import{a}from"./base.js";import"./side.js";import("./later.js")`)],
      ["/assets/base.js", script(2, `import"./page.js"`)],
      ["/assets/side.js", script(4, `export*from'./deep.js'`)],
      ["/assets/deep.js", script(8)],
      ["/assets/later.js", script(16)],
      ["/assets/other.js", script(32)],
    ]);
    const { bytes, parts } = weigh(`<script type="module">import * as a from "/assets/page.js";</script>`, scripts);
    expect(parts.map((part) => part.path)).toEqual(["/assets/deep.js", "/assets/side.js", "/assets/base.js", "/assets/page.js"]);
    expect(bytes).toBe(15 * 1024);
  });

  const page = (kib: number) => weigh(`import("/assets/a.js")`, new Map([["/assets/a.js", script(kib)]]));
  it.each([
    ["/", 115],
    ["/games", 115],
    ["/portal-of-old", 115],
    ["/kod-marketplace", 200],
    ["/portal/edit", 210],
    ["/shipwright/account/arks", 210],
  ])("of %s is at most %i KiB", (address, most) => {
    expect(overBudget(address, page(most))).toEqual([]);
    expect(overBudget(address, page(most + 1))).toEqual([
      `${address}: ${(most + 1) * 1024} bytes of scripts after gzip, more than ${most * 1024}: /assets/a.js ${(most + 1) * 1024}`,
    ]);
  });

  it("is never nothing: then it was not found", () => {
    expect(overBudget("/games", weigh("<p>no script</p>", new Map()))).toHaveLength(1);
  });
});
