import { render, screen, within } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { beforeEach, describe, expect, it } from "vitest";
import { oddsOf, purchaseAt, receiptAt, tableOdds } from "../../../../test/packs";
import { HttpResponse, http, problem, server } from "../../../../test/server";
import { asExpected, oneIn, percent } from "./chance";
import { Odds } from "./components/odds";
import type { Odds as OddsData, TableOdds } from "./queries";

const odds = oddsOf(receiptAt(5));
const table = odds.tables[0] as TableOdds;

beforeEach(() => server.use(http.get("*/api/marketplace/getProducts", () => HttpResponse.json({ products: [] }))));

function show(answer: OddsData) {
  server.use(http.get("*/api/packs/odds", () => HttpResponse.json(answer)));
  render(
    <MemoryRouter>
      <Odds />
    </MemoryRouter>,
  );
}

const rowsOf = (name: RegExp) => within(screen.getByRole("table", { name })).getAllByRole("row").slice(1);

describe("the odds of packs", () => {
  it("have every drop with its chance, and the rules in words", async () => {
    show(odds);
    expect(await screen.findByRole("heading", { name: "God pack" })).toBeVisible();
    expect(rowsOf(/^common/).map((row) => row.textContent)).toEqual(["Ferryman's Knife70%1 in 1.4"]);
    expect(rowsOf(/^mythic/).map((row) => row.textContent)).toEqual(["An Elder God3 in all, then Meridian <Blade>0.5%1 in 200"]);
    expect(screen.getByText(/^After 9 openings in a row without anything epic or rarer, the next is drawn among what is epic or rarer alone\./)).toBeVisible();
    expect(screen.getByText("Version 2, in force from 2026-01-01")).toBeVisible();
    expect(screen.getByText(table.hash)).toBeInTheDocument();
    expect(screen.getByText(/^The development beacon: no public randomness\./)).toBeVisible();
  });

  it("say before the first draw that there is none", async () => {
    show({ ...odds, tables: [{ ...table, waiting: 2, waitingSince: "2026-01-01T00:00:05Z" }] });
    expect(await screen.findByText(/^No pack has been drawn yet\./)).toBeVisible();
    expect(screen.getByText(/^God pack: 2 openings wait to be drawn/)).toHaveTextContent("the oldest since 2026-01-01 00:00:05 UTC.");
    expect(screen.queryByText(/Chi-square/)).toBeNull();
  });

  it("of packs from the shop are under a heading of their own", async () => {
    const destiny = tableOdds(JSON.parse(purchaseAt(0)).table);
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
    expect(screen.getAllByText("Every opening is drawn by these chances alone: there is no pity rule.", { exact: false })).toHaveLength(2);
  });

  it("without packs from the shop have no heading for them", async () => {
    show(odds);
    expect(await screen.findByRole("heading", { name: "God pack" })).toBeVisible();
    expect(screen.queryByRole("heading", { name: "Destiny packs" })).toBeNull();
  });

  it("announce what is next, and keep what was", async () => {
    const later = tableOdds(table.canonical.replace('"version":2', '"version":3').replace("2026-01-01", "2030-01-01"), { inForce: false, announced: true });
    const before = tableOdds(table.canonical.replace('"version":2', '"version":1').replace("2026-01-01", "2025-01-01"), {
      inForce: false,
      hash: "cd".repeat(32),
    });
    show({ ...odds, tables: [later, table, before] });
    expect(await screen.findByText("Announced: version 3, from 2030-01-01")).toBeVisible();
    expect(screen.getByText("Version 1, from 2025-01-01, ended")).toBeInTheDocument();
    expect(screen.getByText("cd".repeat(32))).toBeInTheDocument();
  });

  it("stand beside what was drawn", async () => {
    const results = [
      { id: "knife", promised: 0.7, drawn: 70, hit: 70, low: 0.604, high: 0.78 },
      { id: "fang", promised: 0.25, drawn: 24, hit: 24, low: 0.167, high: 0.332 },
      { id: "blade", promised: 0.045, drawn: 7, hit: 5, low: 0.0215, high: 0.112 },
      { id: "god", promised: 0.005, drawn: 2, hit: 1, low: 0.0018, high: 0.0545 },
    ];
    show({ ...odds, tables: [{ ...table, openings: 103, free: 100, results, chiSquare: { statistic: 0.604, degrees: 3, p: 0.8956 } }] });
    expect(await screen.findByText("100 free draws and 3 draws by the pity rule.")).toBeVisible();
    expect(screen.getByText("as expected")).toBeVisible();
    expect(screen.getByText(/There are too few draws yet/)).toHaveTextContent("Chi-square 0.6 with 3 degrees of freedom, p = 0.9.");
    expect(screen.getByText(/chance alone makes a difference/)).toHaveTextContent("at least this large in 90 of 100 series of draws.");
    const cells = rowsOf(/promised and what was drawn/).map((row) =>
      within(row)
        .getAllByRole("cell")
        .map((cell) => cell.textContent),
    );
    expect(cells[0]).toEqual(["70%", "70", "70%, from 60% to 78%"]);
    expect(cells[2]).toEqual(["4.5%", "7", "5%, from 2.2% to 11%"]);
  });

  it("name what was not drawn as promised, and how unlikely all of it is", async () => {
    const results = table.results.map((result) => ({ ...result, drawn: 500, hit: 500, low: 0.235, high: 0.265 }));
    show({ ...odds, tables: [{ ...table, openings: 2000, free: 2000, results, chiSquare: { statistic: 40_000, degrees: 3, p: 0 } }] });
    expect(await screen.findByText("unlikely: less than 1 in a billion")).toBeVisible();
    expect(screen.queryByText(/too few draws/)).toBeNull();
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
