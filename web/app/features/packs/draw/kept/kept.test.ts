import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { burnReceipt, purchaseReceipt, sealed } from "../../../../../test/draws";
import { keptPage } from "../keep";
import { view } from "./view";

const receipt = sealed(burnReceipt({ drop: "knife" }));
const god = sealed(burnReceipt({ drop: "god", variant: "hera", before: { without: 9, given: { "elder-gods": 1 } } }));
const real = sealed(burnReceipt({ real: true, drop: "fang" }));
const bought = sealed(purchaseReceipt({ drop: "two-avatars" }));

describe("the page that players keep", () => {
  const body = () => {
    document.body.innerHTML = '<main id="main"></main>';
    return document.body.firstElementChild as HTMLElement;
  };

  // Spec: DRAW-20
  it("is one file that loads nothing, and has the receipt in it whatever is in that", async () => {
    const evil = '</script><script>alert(1)</script><!-- $& "';
    const html = await keptPage({ receipt: evil, from: "https://portal.example/x" });
    expect(html.match(/<\/script/g)).toHaveLength(2);
    expect(html).not.toMatch(/<(link|img|iframe|base)\b|\bsrc=|\bon[a-z]+="|\bimport\(|\bfetch\(|XMLHttpRequest|WebSocket/);
    expect(html).toContain("default-src 'none'; script-src 'sha256-");
    const text = /id="kept">(.*?)<\/script>/s.exec(html)?.[1] ?? "";
    expect(JSON.parse(text)).toEqual({ receipt: evil, from: "https://portal.example/x" });
  });

  // Spec: DRAW-20
  it("is the same whenever it is made", async () => {
    const { keptHtml } = await import("../../../../../scripts/kept-page");
    expect(await keptHtml()).toBe(await keptHtml());
  });

  describe("with a receipt", () => {
    beforeEach(() => view(body(), { receipt, from: "https://portal.example/packs/openings/1" }));

    // Spec: DRAW-20
    it("repeats the draw and tells its steps", () => {
      expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("Ferryman's Knife");
      expect(screen.getByText("This page has repeated the draw: it is right.")).toBeVisible();
      expect(screen.getAllByText(/^The development beacon: no public randomness/)).toHaveLength(2);
      expect(screen.getAllByRole("heading", { level: 3 })).toHaveLength(7);
      const rows = within(screen.getByRole("table")).getAllByRole("row").slice(1);
      expect(rows.map((row) => row.textContent)).toEqual([
        "Ferryman's Knife (drawn)common70%, 1 in 1.4",
        "Moth Fangrare25%, 1 in 4",
        "Meridian <Blade>epic4.5%, 1 in 22",
        "An Elder Godmythic0.5%, 1 in 200",
      ]);
      expect(screen.getByRole("table")).toHaveAccessibleName("The table of the receipt: god, edition 2");
      expect(screen.getByText(/^That the chain has this burn/)).toHaveTextContent(
        `The command “pantheon verify 421614-0x${"00".repeat(31)}07-`,
      );
      expect(screen.getByText(/^That the chain has this burn/)).toHaveTextContent(
        "--site https://portal.example --rpc <address of a node>”",
      );
      expect(document.title).toBe("Ferryman's Knife: an opening that checks itself");
      expect(screen.getByRole("link")).toHaveAttribute("href", "https://portal.example/packs/openings/1");
    });

    it("checks another that is pasted, and says what does not fit", async () => {
      const field = screen.getByLabelText("Paste a receipt");
      await userEvent.click(field);
      await userEvent.paste(receipt.replace('"drop":"knife"', '"drop":"fang"'));
      await userEvent.click(screen.getByRole("button", { name: "Check this receipt" }));
      expect(screen.getByRole("status")).toHaveTextContent("it does not fit");
      expect(screen.getByText("The receipt was changed: its digest does not fit.")).toBeVisible();
      expect(screen.queryByText(/it is right/)).toBeNull();
    });

    it("checks the file of another", async () => {
      const file = new File([`${real}\n`], "receipt.json", { type: "application/json" });
      await userEvent.upload(screen.getByLabelText("Or choose its file, or drop it here"), file);
      expect(await screen.findByRole("heading", { name: "Moth Fang" })).toBeVisible();
      expect(screen.queryByText(/no public randomness/)).toBeNull();
    });
  });

  // Spec: DRAW-20
  it("repeats the second draw of a new token", () => {
    view(body(), { receipt: god, from: "" });
    expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("Hera");
    expect(screen.getByText("An Elder God, and a second draw said which.")).toBeVisible();
    expect(screen.getByRole("heading", { name: "A second draw says which one" })).toBeVisible();
    const second = within(screen.getByRole("table", { name: "The second draw" }));
    expect(second.getAllByRole("row").map((row) => row.textContent)).toEqual([
      "What it isRarityChance",
      "Zeusmythic25%, 1 in 4",
      "Hera (drawn)mythic75%, 1 in 1.3",
    ]);
    expect(screen.getByText(/^202\d{13}$/)).toBeVisible();
    expect(screen.getByText("1 of 3")).toBeVisible();
    expect(screen.getByText("What had been opened before, which counts for the pity rule and the limits.", { exact: false })).toBeVisible();
  });

  // Spec: DRAW-20
  it("repeats the draw of a purchase", () => {
    view(body(), { receipt: bought, from: "" });
    expect(screen.getByText("This page has repeated the draw: it is right.")).toBeVisible();
    expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("Two avatars");
    expect(screen.getByRole("heading", { name: "A pack was paid for" })).toBeVisible();
    expect(screen.getByText("9007199254083578")).toBeVisible();
    expect(screen.getByText(`0x${"0e".repeat(32)}`)).toBeVisible();
    expect(screen.getByText(/^That the shop has this order/)).toHaveTextContent("--site <address of the portal>");
    expect(screen.getAllByRole("heading", { name: /^A second draw says which one: token . of 2/ })).toHaveLength(2);
    expect(screen.getAllByRole("table", { name: /^The second draws: token/ })).toHaveLength(2);
    expect(screen.queryByText(/burn/)).toBeNull();
  });

  it("refuses a forged purchase", () => {
    view(body(), { receipt: bought.replace('"unit":', '"unit":1'), from: "" });
    expect(screen.getByText("This page has repeated the draw: it does not fit.")).toBeVisible();
    expect(screen.getByText("The receipt was changed: its digest does not fit.")).toBeVisible();
  });

  it("without one asks for it", () => {
    view(body(), { receipt: "", from: "" });
    expect(screen.getByText("Put in the receipt of an opening: this page repeats its draw.")).toBeVisible();
  });
});
