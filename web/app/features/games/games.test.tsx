import { QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { queryClient } from "~/lib/query";
import { HttpResponse, http, problem, server } from "../../../test/server";
import { Games } from "./components/games";

beforeEach(() => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  server.use(
    http.get("*/api/auth/games", () =>
      HttpResponse.json({
        items: [
          {
            id: "king-of-destiny",
            name: "King of Destiny",
            state: "open",
            playUrl: "https://play.example/king",
            board: "kod",
            holdings: [{ kind: "game-items", count: 12 }],
          },
          { id: "infinimerge", name: "InfiniMerge", state: "later", holdings: [] },
        ],
      }),
    ),
  );
});

const show = () =>
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <Games />
      </MemoryRouter>
    </QueryClientProvider>,
  );

describe("the player's games", () => {
  // Spec: PLAYER-3
  it("say whether they are open, what of the player's counts, and where the player stands", async () => {
    server.use(
      http.get("*/api/leaderboards/kod", () => HttpResponse.json({ items: [{ rank: 1_204, name: "Ianthe", score: 77, me: true }] })),
    );
    show();
    const king = (await screen.findByRole("heading", { name: "King of Destiny" })).closest("li");
    expect(king).toHaveTextContent("Open");
    expect(screen.getByRole("link", { name: "Play King of Destiny" })).toHaveAttribute("href", "https://play.example/king");
    expect(screen.queryByRole("link", { name: "Play InfiniMerge" })).toBeNull();
    expect(screen.getByRole("link", { name: "Arms & relics" })).toHaveAttribute("href", "/portal/my-inventory?kind=listGameItems");
    expect(king).toHaveTextContent("12");
    expect(await screen.findByText(/You are number/)).toHaveTextContent("You are number 1,204 with 77.");
    expect(screen.getByRole("heading", { name: "InfiniMerge" }).closest("li")).toHaveTextContent("Opens later");
  });

  it("say so when the board does not answer, and keep the rest", async () => {
    server.use(http.get("*/api/leaderboards/kod", () => problem(400, "Away.")));
    show();
    expect(await screen.findByText(/Your rank did not load/)).toBeInTheDocument();
    expect(screen.getByRole("heading", { name: "InfiniMerge" })).toBeInTheDocument();
  });
});
