import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { purchaseAt, receiptAt } from "../../../../../test/packs";
import { keptPage } from "../keep";
import { view } from "./view";

const receipt = receiptAt(5);

describe("the page that players keep", () => {
  const body = () => {
    document.body.innerHTML = '<main id="main"></main>';
    return document.body.firstElementChild as HTMLElement;
  };

  it("is one file that loads nothing, and has the receipt in it whatever is in that", async () => {
    const evil = '</script><script>alert(1)</script><!-- $& "';
    const html = await keptPage({ receipt: evil, from: "https://portal.example/x" });
    expect(html.match(/<\/script/g)).toHaveLength(2);
    expect(html).not.toMatch(/<(link|img|iframe|base)\b|\bsrc=|\bon[a-z]+="|\bimport\(|\bfetch\(|XMLHttpRequest|WebSocket/);
    expect(html).toContain("default-src 'none'; script-src 'sha256-");
    const text = /id="kept">(.*?)<\/script>/s.exec(html)?.[1] ?? "";
    expect(JSON.parse(text)).toEqual({ receipt: evil, from: "https://portal.example/x" });
  });

  it("is the same whenever it is made", async () => {
    const { keptHtml } = await import("../../../../../scripts/kept-page");
    expect(await keptHtml()).toBe(await keptHtml());
  });

  describe("with a receipt", () => {
    beforeEach(() => view(body(), { receipt, from: "https://portal.example/packs/openings/1" }));

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
      expect(document.title).toBe("Ferryman's Knife: an opening that checks itself");
      expect(screen.getByRole("link")).toHaveAttribute("href", "https://portal.example/packs/openings/1");
    });

    it("checks another that is pasted, and says what does not fit", async () => {
      const field = screen.getByLabelText("Paste a receipt");
      await userEvent.click(field);
      await userEvent.paste(receipt.replace('"drop":"knife"', '"drop":"god"'));
      await userEvent.click(screen.getByRole("button", { name: "Check this receipt" }));
      expect(screen.getByRole("status")).toHaveTextContent("it does not fit");
      expect(screen.getByText("The receipt was changed: its digest does not fit.")).toBeVisible();
      expect(screen.queryByText(/it is right/)).toBeNull();
    });

    it("checks the file of another", async () => {
      const file = new File([`${receiptAt(-1)}\n`], "receipt.json", { type: "application/json" });
      await userEvent.upload(screen.getByLabelText("Or choose its file, or drop it here"), file);
      expect(await screen.findByRole("heading", { name: "Moth Fang" })).toBeVisible();
      expect(screen.queryByText(/no public randomness/)).toBeNull();
    });
  });

  it("repeats the draw of a purchase", () => {
    view(body(), { receipt: purchaseAt(-1), from: "" });
    expect(screen.getByText("This page has repeated the draw: it is right.")).toBeVisible();
    expect(screen.getByRole("heading", { name: "A pack was paid for" })).toBeVisible();
    expect(screen.getByText("9007199254083578")).toBeVisible();
    expect(screen.getByText(/^That the shop has this order/)).toBeVisible();
    expect(screen.queryByText(/burn/)).toBeNull();
  });

  it("refuses a forged purchase", () => {
    view(body(), { receipt: purchaseAt(-1).replace('"unit":2', '"unit":3'), from: "" });
    expect(screen.getByText("This page has repeated the draw: it does not fit.")).toBeVisible();
    expect(screen.getByText("The receipt was changed: its digest does not fit.")).toBeVisible();
  });

  it("without one asks for it", () => {
    view(body(), { receipt: "", from: "" });
    expect(screen.getByText("Put in the receipt of an opening: this page repeats its draw.")).toBeVisible();
  });
});
