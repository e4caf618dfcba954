import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { legal } from "#brand/legal";

const read = (path: string) => readFileSync(join(import.meta.dirname, path), "utf8");
const folder = "../../../../internal/config";
const settings = readdirSync(join(import.meta.dirname, folder))
  .map((name) => (name.endsWith(".go") ? read(`${folder}/${name}`) : ""))
  .join("\n");
const content = (name: string) => read(`../${name}.mdx`);

/** The default of a server setting. */
function byDefault(name: string): string {
  const value = new RegExp(`env:"${name}" envDefault:"([^"]*)"`).exec(settings)?.[1];
  if (value === undefined) throw new Error(`internal/config has no default of ${name}.`);
  return value;
}

describe("the legal texts", () => {
  it("name the countries that are not served", () => {
    const name = new Intl.DisplayNames(["en"], { type: "region" });
    const names = byDefault("FORBIDDEN_COUNTRIES")
      .split(",")
      .map((code) => name.of(code) ?? code);
    expect(legal.blockedCountries).toBe(new Intl.ListFormat("en-GB", { type: "conjunction" }).format(names));
  });

  it.each(["legal/terms-of-use", "legal/kod-terms-and-conditions", "support/kod-support"])("take those from the brand: %s", (text) => {
    expect(content(text)).toContain("{legal.blockedCountries}");
    expect(content(text)).not.toContain("North Korea");
  });

  it("say how long reports of visits are kept, and how many", () => {
    expect(byDefault("MONITORING_KEEP_FOR")).toBe(`${14 * 24}h`);
    const reports = Number(byDefault("MONITORING_KEEP"));
    const row = content("legal/privacy-policy")
      .split("\n")
      .find((line) => line.startsWith("| What your browser reports"));
    expect(row).toContain("Fourteen days;");
    expect(row).toContain(`${reports.toLocaleString("en")} newer reports`);
    expect(row).toContain(`${(reports / 10).toLocaleString("en")} newer recordings`);
  });

  it("say that addresses are not passed on unless that is turned on", () => {
    expect(byDefault("DATADOG_PASS_IP")).toBe("false");
    expect(content("legal/privacy-policy")).toContain("as it comes, it is off");
  });
});
