import { act, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { flags } from "~/features/flags/store";
import { Banners } from "~/features/news/components/banner";
import { session } from "~/features/session/store";
import { keys } from "~/lib/storage";
import { signedIn } from "../../../test/make";
import { HttpResponse, http, server } from "../../../test/server";
import { seenMoves } from "./seen";

const closed = "Trading is closed while the game moves to a new chain.";
const toClaim = "You have items to claim on the new chain.";
const chain = { chainId: 42170, frozenAt: "2026-11-20T10:00:00Z", holdings: 0 };

const on = { enabled: true, reason: "STATIC" };
const shut = { enabled: false, reason: "DISABLED" };
const switched = (purchase: typeof on) => flags.set({ flags: { "2": on, purchase }, loading: false, isFetched: true });

let moves: object[];
let claimable: number;
/** The paths that were asked for. */
let asked: string[];

beforeEach(() => {
  session.set({ isAuthenticated: false, isLoading: false, profile: null, problem: "" });
  seenMoves.set(seenMoves.initial);
  moves = [];
  claimable = 0;
  asked = [];
  const noted = <T extends object>(of: () => T) =>
    (({ request }: { request: Request }) => {
      asked.push(new URL(request.url).pathname);
      return HttpResponse.json(of());
    }) satisfies Parameters<typeof http.get>[1];
  server.use(
    http.get(
      "*/api/news",
      noted(() => ({ items: [{ id: "launch", title: "Launch", html: "<p>Soon.</p>", from: "", banner: true }] })),
    ),
    http.get(
      "*/api/moves",
      noted(() => ({ moves })),
    ),
    http.get(
      "*/api/auth/moves/42170",
      noted(() => ({ items: [], claimable })),
    ),
  );
});
afterEach(() => {
  session.set(session.initial);
  flags.set(flags.initial);
});

const announcement = () => screen.findByRole("region", { name: "Announcement" });
const player = () => {
  localStorage.setItem(keys.token, "a.b.c");
  signedIn();
};

describe("the banner of a move", () => {
  it("says that trading is closed, before all news, and is not shown again once closed", async () => {
    moves = [{ ...chain, state: "frozen" }];
    switched(shut);
    const { unmount } = render(<Banners />);
    expect(await screen.findByText(closed)).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "What this means" })).toHaveAttribute("href", "/move");
    await userEvent.click(screen.getByRole("button", { name: `Close: ${closed}` }));
    await waitFor(async () => expect(await announcement()).toHaveTextContent("Soon."));
    unmount();
    render(<Banners />);
    expect(await announcement()).toHaveTextContent("Soon.");
    expect(screen.queryByText(closed)).toBeNull();
  });

  it("comes as soon as trading is shut, and goes when it is open", async () => {
    moves = [{ ...chain, state: "snapshotted" }];
    switched(on);
    render(<Banners />);
    expect(await announcement()).toHaveTextContent("Soon.");
    act(() => switched(shut));
    expect(await screen.findByText(closed)).toBeInTheDocument();
    act(() => switched(on));
    expect(screen.queryByText(closed)).toBeNull();
  });

  it("costs visitors no request while nothing is shut", async () => {
    moves = [{ ...chain, state: "moved" }];
    switched(on);
    render(<Banners />);
    expect(await announcement()).toHaveTextContent("Soon.");
    expect(asked).toEqual(["/api/news"]);
  });

  it("tells players that there is something to claim, until they have seen the page", async () => {
    moves = [{ ...chain, state: "moved" }];
    claimable = 2;
    switched(on);
    player();
    render(<Banners />);
    expect(await screen.findByText(toClaim)).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "Claim them" })).toHaveAttribute("href", "/move");
    act(() => seenMoves.set({ chains: [42170] }));
    expect(screen.queryByText(toClaim)).toBeNull();
  });

  it("says nothing to players who have nothing to claim", async () => {
    moves = [{ ...chain, state: "moved" }];
    switched(on);
    player();
    render(<Banners />);
    await waitFor(() => expect(asked).toContain("/api/auth/moves/42170"));
    expect(await announcement()).toHaveTextContent("Soon.");
    expect(screen.queryByText(toClaim)).toBeNull();
  });
});
