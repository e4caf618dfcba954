import { QueryClientProvider } from "@tanstack/react-query";
import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter } from "react-router";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { queryClient } from "~/lib/query";
import { contract, listing } from "../../../test/make";
import { HttpResponse, http, problem, server } from "../../../test/server";
import { Achievements } from "./components/achievements";
import { Activity } from "./components/activity";
import type { Achievement, Entry } from "./queries";

const item = { contract, tokenId: "7", metadata: { ...listing().metadata, name: "Moth Fang" } };
const usdc = (amount: string) => ({ amount, currency: "USDC" });
const book: Entry[] = [
  { id: "0", type: "sale", at: "2026-11-21T18:00:00Z", item, quantity: "2", price: usdc("25"), txHash: `0x${"ab".repeat(32)}` },
  { id: "1", type: "listing", at: "2026-11-21T17:00:00Z", item, quantity: "1", price: usdc("12.5") },
  { id: "2", type: "reward", at: "2026-11-20T10:00:00Z", quantity: "30", code: "gt" },
  { id: "3", type: "reward", at: "2026-11-20T09:00:00Z", price: usdc("500") },
  {
    id: "5",
    type: "withdrawal",
    at: "2026-11-20T08:00:00Z",
    price: usdc("20"),
    to: `0x${"cd".repeat(20)}`,
    txHash: `0x${"ef".repeat(32)}`,
  },
];

beforeEach(() => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
});

const show = (page: React.ReactNode) =>
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>{page}</MemoryRouter>
    </QueryClientProvider>,
  );

describe("the book of an account", () => {
  // Spec: PLAYER-1
  it("tells what happened, by day, and goes on to what came before", async () => {
    server.use(
      http.get("*/api/auth/activity", ({ request }) => {
        const cursor = new URL(request.url).searchParams.get("cursor");
        return HttpResponse.json(
          cursor === "c1" ? { items: [{ id: "4", type: "login", at: "2026-11-19T08:00:00Z" }] } : { items: book, nextCursor: "c1" },
        );
      }),
    );
    show(<Activity />);
    const [latest, earlier] = (await screen.findAllByRole("list")) as [HTMLElement, HTMLElement];
    const lines = (list: HTMLElement) =>
      within(list)
        .getAllByRole("listitem")
        .map((line) => line.querySelector("p")?.textContent);
    expect(lines(latest)).toEqual([expect.stringMatching(/^Sold 2 × Moth Fang0xabab…abab/), "Put up for sale Moth Fang"]);
    expect(within(latest).getByText(/25\.00/)).toBeInTheDocument();
    expect(within(latest).getByText("each", { exact: false })).toBeInTheDocument();
    expect(lines(earlier)).toEqual([
      "Received 30 Gate tokens",
      "Received 500.00 USDC",
      "Sent 20.00 USDC to 0xcdcd…cdcd0xefef…efefCopy the transaction 0xefef…efef",
    ]);
    expect(screen.getByRole("heading", { name: "Saturday, November 21, 2026" })).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Show more" }));
    expect(await screen.findByText("Signed in")).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Show more" })).toBeNull();
  });

  it("is empty at first, which is not the same as not loaded", async () => {
    server.use(http.get("*/api/auth/activity", () => problem(400, "The book is away.")));
    show(<Activity />);
    expect(await screen.findByRole("alert")).toHaveTextContent("The book is away.");
    expect(screen.queryByText("No activity yet")).toBeNull();
    server.use(http.get("*/api/auth/activity", () => HttpResponse.json({ items: [] })));
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("No activity yet")).toBeInTheDocument();
  });

  it("keeps what it has when what came before does not load", async () => {
    server.use(
      http.get("*/api/auth/activity", ({ request }) =>
        request.url.includes("cursor") ? problem(400, "Away.") : HttpResponse.json({ items: book, nextCursor: "c1" }),
      ),
    );
    show(<Activity />);
    await userEvent.click(await screen.findByRole("button", { name: "Show more" }));
    expect(await screen.findByText("The rest did not load.")).toBeInTheDocument();
    expect(screen.getAllByText("Moth Fang")).toHaveLength(2);
  });
});

describe("achievements", () => {
  const all: Achievement[] = [
    { id: "first-sale", name: "Sold and wrapped", text: "Sell something.", goal: 1, progress: 1, reachedAt: "2026-11-21T18:00:00Z" },
    { id: "ten-purchases", name: "Known by name", text: "Buy ten times.", goal: 10, progress: 4 },
    { id: "legend", name: "Something for the song", text: "Have a legend.", goal: 1, progress: 0 },
  ];

  // Spec: PLAYER-2
  it("say when they were reached, or how far one is", async () => {
    server.use(http.get("*/api/auth/achievements", () => HttpResponse.json({ items: all })));
    show(<Achievements />);
    const line = async (name: string) => (await screen.findByRole("heading", { name })).closest("li");
    expect(await line("Sold and wrapped")).toHaveTextContent("Reached on November 21, 2026");
    expect(await line("Known by name")).toHaveTextContent("4 of 10");
    expect(await line("Something for the song")).toHaveTextContent("Not yet");
    expect(screen.getByText("1 of 3")).toBeInTheDocument();
  });

  it("that did not load are shown as an error, not as empty", async () => {
    server.use(http.get("*/api/auth/achievements", () => problem(400, "Away.")));
    show(<Achievements />);
    expect(await screen.findByText("Your achievements did not load")).toBeInTheDocument();
    expect(screen.queryByText(/ of /)).toBeNull();
  });
});
