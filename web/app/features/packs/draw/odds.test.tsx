import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter } from "react-router";
import { beforeEach, describe, expect, it } from "vitest";
import { burnReceipt, destinyTable, sealed } from "../../../../test/draws";
import { clientConfig } from "../../../../test/make";
import { oddsOf, tableOdds } from "../../../../test/packs";
import { HttpResponse, http, problem, server } from "../../../../test/server";
import { asExpected, oneIn, percent } from "./chance";
import { Odds } from "./components/odds";
import type { Odds as OddsData, TableOdds } from "./queries";

const odds = oddsOf(sealed(burnReceipt()));
const table = odds.tables[0] as TableOdds;
/** The same with what a pity rule makes of it. */
const shares = [
  { id: "knife", promised: 0.7, effective: 0.66, now: 0.66 },
  { id: "fang", promised: 0.25, effective: 0.22, now: 0.22 },
  { id: "blade", promised: 0.045, effective: 0.108, now: 0.12 },
  { id: "god", promised: 0.005, effective: 0.012, now: 0 },
].map((share) => ({ ...share, drawn: 0, hit: 0, low: 0, high: 1 }));
const { caps: _, pity: __, ...plain } = table;

beforeEach(() =>
  server.use(
    http.get("*/api/marketplace/getProducts", () => HttpResponse.json({ products: [] })),
    http.get("*/api/config", () =>
      HttpResponse.json(clientConfig({ gameChain: { id: 421614, name: "Forge", explorerUrl: "https://explorer.example" } })),
    ),
  ),
);

function show(answer: OddsData) {
  server.use(http.get("*/api/packs/odds", () => HttpResponse.json(answer)));
  render(
    <MemoryRouter>
      <Odds />
    </MemoryRouter>,
  );
}

const rowsOf = (name: RegExp | string) => within(screen.getByRole("table", { name })).getAllByRole("row").slice(1);
const textsOf = (name: RegExp | string) => rowsOf(name).map((row) => row.textContent);

describe("the odds of packs", () => {
  // Spec: DRAW-3
  it("have every drop with its base and effective odds, and the rules in words", async () => {
    show({ ...odds, tables: [{ ...table, results: shares.map((share) => ({ ...share, now: share.effective })) }] });
    expect(await screen.findByRole("heading", { name: "God pack" })).toBeVisible();
    expect(
      within(screen.getByRole("table", { name: "common" }))
        .getAllByRole("columnheader")
        .map(({ textContent }) => textContent),
    ).toEqual(["Drop", "Base", "Effective"]);
    expect(textsOf("common")).toEqual(["Ferryman's Knife70%1 in 1.466%1 in 1.5"]);
    expect(textsOf("mythic")[0]).toBe("An Elder God3 of 3 left, then Meridian <Blade>0.5%1 in 2001.2%1 in 83");
    expect(
      screen.getByText(/^After 9 openings in a row without anything epic or rarer, the next is drawn among what is epic or rarer alone\./),
    ).toBeVisible();
    expect(
      screen.getByText(/^The base odds are those of a single draw among all drops; the effective odds are what packs give in the long run/),
    ).toBeVisible();
    expect(screen.getByText("3 of 3 left: new tokens of Elder Gods")).toBeVisible();
    expect(screen.queryByText(/by these chances alone/)).toBeNull();
    expect(screen.getByText(/^The development beacon: no public randomness\./)).toBeVisible();
  });

  // Spec: DRAW-3
  it("name the edition, its hash, and where and since when it is fixed", async () => {
    show(odds);
    expect(await screen.findByText("Edition 2, on sale, fixed since 2023-09-15 09:26:40 UTC")).toBeVisible();
    await userEvent.click(screen.getByText("Its SHA-256, and where that is fixed"));
    expect(screen.getByText(table.hash)).toBeVisible();
    expect(await screen.findByText("Forge (421614)")).toBeVisible();
    const facts = screen.getAllByRole("definition").map(({ textContent }) => textContent);
    expect(facts.slice(1)).toEqual([
      "the packs' contract",
      `0x${"c5".repeat(20)}`,
      "Forge (421614)",
      `0x${"f1".repeat(32)} (opens in a new tab)`,
      "100 (opens in a new tab)",
      "2023-09-15 09:26:40 UTC",
    ]);
    expect(screen.getByRole("link", { name: /^0xf1/ })).toHaveAttribute("href", `https://explorer.example/tx/0x${"f1".repeat(32)}`);
    expect(screen.getByText(/A pack keeps its edition for good/)).toBeVisible();
    expect(screen.queryByText(/version/i)).toBeNull();
  });

  // Spec: DRAW-3
  it("show the second draw of a drop with its own odds", async () => {
    show(odds);
    await userEvent.click(await screen.findByText("Which one: a second draw"));
    expect(textsOf("a new token of Elder Gods")).toEqual(["mythic100%", "Zeus25% (1 in 4)", "Hera75% (1 in 1.3)"]);
  });

  it("sum up the rarities of what is got", async () => {
    const rarities = [
      { rarity: "common", promised: 0.94, effective: 0.9, now: 0.9 },
      { rarity: "mythic", promised: 0.06, effective: 0.1, now: 0.1 },
    ];
    show({ ...odds, tables: [{ ...table, rarities }] });
    await screen.findByText("The rarity of what you get");
    expect(textsOf("The rarity of what you get")).toEqual(["common94%90%", "mythic6%10%"]);
  });

  // Spec: DRAW-3
  it("show what the odds are now once something has run out, and what is left", async () => {
    const caps = [
      { item: "elder-gods", most: 1000, given: 1000, left: 0 },
      { item: "game-items/5", most: 1000, given: 988, left: 12 },
    ];
    const drops = table.drops.map((drop) => (drop.id === "knife" ? { ...drop, substitute: "fang" } : drop));
    show({ ...odds, tables: [{ ...table, caps, drops, results: shares }] });
    expect(await screen.findByText("“An Elder God” has run out, and “Meridian <Blade>” comes in its place.")).toBeVisible();
    expect(screen.getByText("The odds as they are now are those under “Now”.")).toBeVisible();
    expect(textsOf("common")).toEqual(["Ferryman's KnifeOnly 12 of 1,000 left, then Moth Fang70%1 in 1.466%1 in 1.566%1 in 1.5"]);
    expect(textsOf("epic")).toEqual(["Meridian <Blade>4.5%1 in 2210.8%1 in 9.312%1 in 8.3"]);
    expect(textsOf("mythic")[0]).toBe("An Elder GodNone of 1,000 left, then Meridian <Blade>0.5%1 in 2001.2%1 in 830%never");
    expect(screen.getByRole("list", { name: "What is limited" })).toHaveTextContent(
      "Only 12 of 1,000 left: copies of Arms & relics, number 5",
    );
  });

  it("without a pity rule say that these chances alone count, unless something has run out", async () => {
    show({
      ...odds,
      tables: [plain, { ...plain, kind: "avatar", caps: [{ item: "elder-gods", most: 3, given: 3, left: 0 }], results: shares }],
    });
    expect(await screen.findByText("Every opening is drawn by these chances alone: there is no pity rule.")).toBeVisible();
    expect(screen.getByText("There is no pity rule: the base odds are those of each draw.")).toBeVisible();
    const [first, second] = screen.getAllByRole("table", { name: "common" }) as [HTMLElement, HTMLElement];
    expect(
      within(first)
        .getAllByRole("columnheader")
        .map(({ textContent }) => textContent),
    ).toEqual(["Drop", "Chance"]);
    expect(
      within(second)
        .getAllByRole("columnheader")
        .map(({ textContent }) => textContent),
    ).toEqual(["Drop", "Base", "Now"]);
  });

  // Spec: DRAW-3
  it("say before the first draw that there is none", async () => {
    show({ ...odds, tables: [{ ...table, waiting: 2, waitingSince: "2026-01-01T00:00:05Z" }] });
    expect(await screen.findByText(/^No pack has been drawn yet\./)).toBeVisible();
    expect(screen.getByText(/^God pack: 2 openings wait to be drawn/)).toHaveTextContent("the oldest since 2026-01-01 00:00:05 UTC.");
    expect(screen.queryByText(/verdict|Chi-square/)).toBeNull();
  });

  // Spec: DRAW-3
  it("of packs from the shop are under a heading of their own", async () => {
    const destiny = tableOdds(JSON.stringify(destinyTable));
    show({ ...odds, tables: [table, destiny, tableOdds(destiny.canonical.replace("destiny-gold", "destiny-clay"))] });
    expect(await screen.findByRole("heading", { level: 2, name: "Destiny packs" })).toBeVisible();
    expect(screen.getByRole("link", { name: "webstore" })).toHaveAttribute("href", "/webstore");
    expect(screen.getAllByRole("heading").map((heading) => `${heading.tagName} ${heading.textContent}`)).toEqual([
      "H2 God pack",
      "H2 Destiny packs",
      "H3 Gold destiny pack",
      "H3 destiny-clay",
      "H2 Promised and drawn",
    ]);
    expect(screen.getAllByText(/The edition that is on sale when you go to pay counts\./)).toHaveLength(2);
    expect(screen.getAllByText("a wallet of the portal, in a transaction to itself")).toHaveLength(2);
  });

  it("without packs from the shop have no heading for them", async () => {
    show(odds);
    expect(await screen.findByRole("heading", { name: "God pack" })).toBeVisible();
    expect(screen.queryByRole("heading", { name: "Destiny packs" })).toBeNull();
  });

  it("have every edition: the one on sale first, and others with their own hash and drops", async () => {
    const { fixed: _, ...coming } = tableOdds(table.canonical.replace('"edition":2', '"edition":3'), { onSale: false });
    const before = tableOdds(table.canonical.replace('"edition":2', '"edition":1').replace("Moth Fang", "Moth Tooth"), {
      onSale: false,
      hash: "cd".repeat(32),
    });
    show({ ...odds, tables: [coming, table, before] });
    expect(await screen.findByText("Edition 2, on sale, fixed since 2023-09-15 09:26:40 UTC")).toBeVisible();
    await userEvent.click(screen.getByText("Edition 3, not fixed yet"));
    expect(screen.getByText("nothing yet")).toBeInTheDocument();
    expect(screen.getByText(/^Until its SHA-256 is fixed on a chain, the table could still change/)).toBeVisible();
    await userEvent.click(screen.getByText(/^Edition 1, not on sale now/));
    expect(screen.getByText("cd".repeat(32))).toBeInTheDocument();
    expect(screen.getByText("Moth Tooth")).toBeVisible();
  });

  // Spec: DRAW-3
  it("stand beside what was drawn, without a verdict while there are few draws", async () => {
    const results = [
      { id: "knife", promised: 0.7, drawn: 70, hit: 70, low: 0.604, high: 0.78 },
      { id: "fang", promised: 0.25, drawn: 24, hit: 24, low: 0.167, high: 0.332 },
      { id: "blade", promised: 0.045, drawn: 7, hit: 5, low: 0.0215, high: 0.112 },
      { id: "god", promised: 0.005, drawn: 2, hit: 1, low: 0.0018, high: 0.0545 },
    ].map((result) => ({ ...result, effective: result.promised, now: result.promised }));
    show({ ...odds, tables: [{ ...table, openings: 103, free: 100, results }] });
    expect(await screen.findByText("100 free draws and 3 draws by the pity rule.")).toBeVisible();
    expect(screen.getByText("Too few openings for a verdict.")).toBeVisible();
    expect(screen.queryByText(/as expected|Chi-square/)).toBeNull();
    expect(screen.getByRole("heading", { level: 3, name: "God pack, edition 2" })).toBeVisible();
    const cells = rowsOf(/promised and what was drawn/).map((row) =>
      within(row)
        .getAllByRole("cell")
        .map((cell) => cell.textContent),
    );
    expect(cells[0]).toEqual(["70%", "70", "70%, from 60% to 78%"]);
    expect(cells[2]).toEqual(["4.5%", "7", "5%, from 2.2% to 11%"]);
  });

  it("have a verdict once there are enough draws", async () => {
    show({
      ...odds,
      tables: [{ ...table, openings: 2003, free: 2000, test: { statistic: 0.604, degrees: 3, p: 0.8956, simulated: false } }],
    });
    expect(await screen.findByText("as expected")).toBeVisible();
    expect(screen.getByText(/chance alone makes a difference/)).toHaveTextContent("at least this large in 90 of 100 series of draws.");
    expect(screen.getByText(/^Chi-square/)).toHaveTextContent("Chi-square 0.6 with 3 degrees of freedom, p = 0.9.");
    expect(screen.queryByText(/Too few/)).toBeNull();
  });

  it("name what was not drawn as promised, and how unlikely all of it is", async () => {
    const results = table.results.map((result) => ({ ...result, drawn: 500, hit: 500, low: 0.235, high: 0.265 }));
    show({
      ...odds,
      tables: [{ ...table, openings: 2000, free: 2000, results, test: { statistic: 40_000, degrees: 3, p: 0, simulated: true } }],
    });
    expect(await screen.findByText("unlikely: less than 1 in a billion")).toBeVisible();
    expect(screen.getByText(/^Chi-square/)).toHaveTextContent("p = 0, found by simulated series of draws.");
    expect(screen.getAllByText("25%, from 24% to 27%: not as promised")).toHaveLength(3);
    expect(screen.getByText("25%, from 24% to 27%")).toBeVisible();
  });

  it("can be asked for again if they do not load", async () => {
    server.use(http.get("*/api/packs/odds", () => problem(403, "Not from here.")));
    render(<Odds />);
    expect(await screen.findByText("Not from here.")).toBeVisible();
  });
});

describe("a chance", () => {
  it.each([
    [0.052, "5.2%", "1 in 19"],
    [0.00075, "0.075%", "1 in 1,333"],
    [0.9, "90%", "1 in 1.1"],
    [1, "100%", "1 in 1"],
    [0.9999, "99.99%", "1 in 1"],
    [0.997, "99.7%", "1 in 1"],
  ])("of %d is written as %s, which is %s", (share, written, one) => {
    expect([percent(share), oneIn(share)]).toEqual([written, one]);
  });

  it.each([
    [0.9, "as expected"],
    [0.05, "as expected"],
    [0.01, "unlikely: 1 in 100"],
    [0, "unlikely: less than 1 in a billion"],
  ])("of %d for the draws is %s", (p, words) => expect(asExpected(p)).toBe(words));
});
