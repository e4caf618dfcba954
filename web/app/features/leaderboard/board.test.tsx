import { act, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { logout, start } from "~/features/session/session";
import { session } from "~/features/session/store";
import { keys, write } from "~/lib/storage";
import { jwt, profile, signedIn } from "../../../test/make";
import { HttpResponse, http, problem, server } from "../../../test/server";
import { Board } from "./components/board";

/** The requests' query strings, tokens and wallets. */
let asked: { query: string; token: string | null; wallet: string | null }[];

/** A leaderboard of the given size; the signed-in player is the 20th. */
function boardOf(players: number) {
  const line = (rank: number) => ({ rank, name: `Player ${rank}`, score: 10_000 - rank, me: rank === 20 });
  server.use(
    http.get("*/api/leaderboards/:id", ({ request }) => {
      const query = new URL(request.url).searchParams;
      asked.push({ query: String(query), token: request.headers.get("Authorization"), wallet: request.headers.get("x-wallet-address") });
      const limit = Number(query.get("limit"));
      const first = query.get("around") ? 20 - Math.floor(limit / 2) : Number(query.get("cursor") ?? 1);
      const items = Array.from({ length: Math.max(0, Math.min(limit, players - first + 1)) }, (_, i) => line(first + i));
      const more = !query.get("around") && first + limit <= players;
      return HttpResponse.json({ items, ...(more && { nextCursor: String(first + limit) }) });
    }),
  );
}

beforeEach(() => {
  asked = [];
  server.use(http.get("*/api/auth/logout", () => HttpResponse.json({ success: true })));
  session.set({ isAuthenticated: false, isLoading: false, profile: null, problem: "" });
});

const show = () => render(<Board board="kod" caption="Scores" counted="Points" />);
const ranks = () =>
  within(screen.getByRole("table"))
    .getAllByRole("rowheader")
    .map((header) => header.textContent);

describe("a leaderboard", () => {
  // Spec: PLAYER-4
  it("is read page by page by a visitor, who is not asked who they are", async () => {
    boardOf(40);
    show();
    await screen.findByText("Player 1");
    expect(ranks()).toHaveLength(15);
    expect(screen.queryByRole("button", { name: "Around you" })).toBeNull();
    expect(screen.getByRole("button", { name: "Higher ranks" })).toBeDisabled();
    await userEvent.click(screen.getByRole("button", { name: "Lower ranks" }));
    await screen.findByText("Player 16");
    await userEvent.click(screen.getByRole("button", { name: "Lower ranks" }));
    await screen.findByText("Player 40");
    expect(screen.getByRole("button", { name: "Lower ranks" })).toBeDisabled();
    await userEvent.click(screen.getByRole("button", { name: "Higher ranks" }));
    await screen.findByText("Player 16");
    expect(asked.map(({ query }) => query)).toEqual(["limit=15", "limit=15&cursor=16", "limit=15&cursor=31", "limit=15&cursor=16"]);
    expect(asked.every(({ token }) => token === null)).toBe(true);
  });

  // Spec: PLAYER-4
  it("opens at the line of a signed-in player, and can be read from the top", async () => {
    boardOf(40);
    write(keys.token, "token");
    signedIn();
    show();
    const mine = (await screen.findByText("You")).closest("tr");
    expect(mine).toHaveAttribute("aria-current", "true");
    expect(mine).toHaveTextContent("Player 20");
    expect(asked).toMatchObject([{ query: "limit=15&around=me", token: "token" }]);
    await userEvent.click(screen.getByRole("button", { name: "From the top" }));
    await screen.findByText("Player 1");
  });

  it("waits until it is known who is there", async () => {
    boardOf(3);
    session.set({ isLoading: true });
    show();
    expect(asked).toEqual([]);
    act(() => session.set({ isLoading: false }));
    await screen.findByText("Player 3");
  });

  it("says that nobody is on it", async () => {
    server.use(http.get("*/api/leaderboards/:id", () => HttpResponse.json({ items: [] })));
    show();
    expect(await screen.findByRole("status")).toHaveTextContent("Nobody is on it yet.");
  });

  it("opens at the top for a player who is not on it, and says so", async () => {
    server.use(
      http.get("*/api/leaderboards/:id", ({ request }) => {
        const around = new URL(request.url).searchParams.has("around");
        return HttpResponse.json({ items: around ? [] : [{ rank: 1, name: "Player 1", score: 7, me: false }] });
      }),
    );
    signedIn();
    show();
    await screen.findByText("Player 1");
    expect(screen.getByRole("status")).toHaveTextContent("You are not on it");
    expect(screen.getByRole("button", { name: "From the top" })).toHaveAttribute("aria-pressed", "true");
    await userEvent.click(screen.getByRole("button", { name: "Around you" }));
    expect(await screen.findByText("You are not on it yet. What you score in the game puts you there.")).toBeInTheDocument();
  });

  // Spec: SESSION-12
  it("names the player's wallet when the page is loaded anew", async () => {
    boardOf(40);
    write(keys.token, jwt({ exp: Date.now() / 1000 + 60 }));
    server.use(http.get("*/api/auth/profile", () => HttpResponse.json(profile({ smartWalletAddress: "0x1" }))));
    session.set({ isLoading: true });
    show();
    await act(() => start(null));
    await screen.findByText("You");
    expect(asked).toMatchObject([{ query: "limit=15&around=me", wallet: "0x1" }]);
    await act(() => logout());
  });

  // Spec: SESSION-5
  it("shows nobody's line any more when the session has ended", async () => {
    boardOf(40);
    signedIn();
    show();
    await screen.findByText("You");
    await userEvent.click(screen.getByRole("button", { name: "From the top" }));
    await screen.findByText("Player 1");
    await userEvent.click(screen.getByRole("button", { name: "Around you" }));
    await screen.findByText("You");
    await act(() => logout());
    await screen.findByText("Player 1");
    expect(screen.queryByText("You")).toBeNull();
    expect(asked.at(-1)?.query).toBe("limit=15");
  });

  // Spec: UI-12, API-2
  it("says when it did not load, unlike an empty one, reports it, and tries again", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    server.use(http.get("*/api/leaderboards/:id", () => problem(503, "The games are away.")));
    show();
    const alert = await screen.findByRole("alert");
    expect(alert).toHaveTextContent("The games are away.");
    expect(warn).toHaveBeenCalledExactlyOnceWith("leaderboard: did not load", "The games are away.");
    expect(screen.queryByText("Nobody is on it yet.")).toBeNull();
    boardOf(2);
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    await vi.waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
    expect(await screen.findByText("Player 2")).toBeInTheDocument();
  });
});
