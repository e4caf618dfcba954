import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { HttpResponse, http, problem, server } from "../test/server";
import { queryClient } from "./query";
import { axeFaults, everyRight, hash, open, playerPage, session } from "./testing";

describe("every page", () => {
  const pages: [string, string, string | RegExp][] = [
    ["/", "Home · Operate", "Rewards that failed"],
    ["/players", "Players · Operate", "Pomegranates"],
    ["/players/P1", "Perseus · Players · Operate", "perseus@olympus.example"],
    ["/orders/OR1", "Order · Operate", "6.25 USDC"],
    ["/rewards", "Rewards · Operate", "the game platform refused it"],
    ["/shop", "Webstore · Operate", "nobody knows whose it is"],
    ["/gas", "Gas · Operate", "0.123456789"],
    ["/support", "Support · Operate", /not <b>arrived<\/b>/],
    ["/log", "Log · Operate", "Reason: Chargeback"],
    ["/team", "Team · Operate", "Grace"],
    ["/account", "Account · Operate", "Laptop"],
    ["/nowhere", "Not found · Operate", /There is no such page/],
  ];
  it.each(pages)("%s has a title, its content and no faults of accessibility", async (path, title, content) => {
    open(path);
    expect((await screen.findAllByText(content)).length).toBeGreaterThan(0);
    expect(document.title).toBe(title);
    expect(screen.getAllByRole("heading", { level: 1 })).toHaveLength(1);
    expect(await axeFaults()).toEqual([]);
  });

  it.each([
    ["/players", "frozen", "The frozen players"],
    ["/players/P1", "players/P1", "This player"],
    ["/orders/OR1", "orders/OR1", "This order"],
    ["/rewards", "rewards", "The rewards"],
    ["/shop", "shop", "The webstore"],
    ["/gas", "gas", "The budgets"],
    ["/support", "support", "The requests"],
    ["/log", "log", "The log"],
    ["/team", "operators", "The operators"],
    ["/account", "passkeys", "Your passkeys"],
  ])("%s says that it did not load, and tries again", async (path, call, what) => {
    const router = open(path, { [call]: problem(503, "The database does not answer.") });
    await screen.findByText(`${what} did not load`);
    expect(screen.getByText("The database does not answer.")).toBeVisible();
    let calls = 0;
    server.use(
      http.get(`*/api/operate/${call}`, () => {
        calls++;
        return problem(503, "Still not.");
      }),
    );
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    await screen.findByText("Still not.");
    expect(calls).toBeGreaterThan(0);
    expect(router.state.location.pathname + router.state.location.search).toBe(path);
  });

  it.each([
    ["/players", { frozen: { items: [] } }, "Nobody is frozen."],
    ["/rewards", { rewards: { items: [] } }, "No rewards."],
    ["/gas", { gas: { items: [] } }, "The portal pays on no chain."],
    ["/support", { support: { items: [] } }, "Nobody has written."],
    ["/log", { log: { items: [] } }, "No entries."],
    ["/shop", { shop: { reported: 0, failed: null, waiting: 0, orders: null, debts: null } }, "Nobody owes anything."],
    ["/players/P1", { "players/P1": playerPage({ lists: null, orders: [], owed: [], events: [] }) }, "On no list."],
  ])("%s says that there is nothing", async (path, answers, text) => {
    open(path, answers);
    expect(await screen.findByText(text)).toBeVisible();
    expect(await axeFaults()).toEqual([]);
  });

  it("says that a player or an order is unknown", async () => {
    open("/players/P9", { "players/P9": problem(404, "Not found.") });
    await screen.findByText("There is no such player.");
  });
});

describe("home", () => {
  it("leads to what needs a person", async () => {
    open("/");
    expect(await screen.findByRole("link", { name: "3 Rewards that failed" })).toHaveAttribute("href", "/rewards?state=failed");
    expect(screen.getByRole("link", { name: "1000+ Debts after refunds" })).toHaveAttribute("href", "/shop#debts");
    expect(screen.getByRole("link", { name: "4 Frozen players" })).toHaveAttribute("href", "/players#frozen");
    expect(screen.getByText("connection refused")).toBeVisible();
    expect(screen.getByText("It is ready: it takes requests.")).toBeVisible();
  });

  it("links to nothing that the role may not see", async () => {
    open("/", { session: session({ role: "support", rights: ["player show"] }) });
    expect(await screen.findByRole("link", { name: "4 Frozen players" })).toBeVisible();
    expect(screen.queryByRole("link", { name: /Rewards that failed/ })).toBeNull();
    expect(screen.getByText("Rewards that failed")).toBeVisible();
  });

  it("looks again in the background, which does not extend the session", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    try {
      const asked: (string | null)[] = [];
      open("/");
      server.use(
        http.get("*/api/operate/home", ({ request }) => {
          asked.push(request.headers.get("X-Background"));
          return problem(503, "Not now.");
        }),
      );
      await screen.findByRole("heading", { name: "Home" });
      await waitFor(() => expect(asked[0]).toBeNull());
      await screen.findByText("What needs you did not load");
      asked.length = 0;
      await act(() => vi.advanceTimersByTimeAsync(61_000));
      await waitFor(() => expect(asked[0]).toBe("1"));
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("players", () => {
  it("that are searched for are shown without faults of accessibility, or why they are not", async () => {
    open("/players", {}, { search: "per" });
    expect(await screen.findByText("Persephone")).toBeVisible();
    expect(await axeFaults()).toEqual([]);
  });

  it("are not found", async () => {
    open("/players", { "players/search": { items: [] } }, { search: "nobody" });
    expect(await screen.findByText("No player fits “nobody”.")).toBeVisible();
  });

  it("are searched for again where the search failed", async () => {
    open("/players", { "players/search": problem(503, "The database does not answer.") }, { search: "per" });
    await screen.findByText("The search did not load");
    server.use(http.post("*/api/operate/players/search", () => problem(503, "Still not.")));
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    await screen.findByText("Still not.");
  });

  it("are searched and chosen by keys", async () => {
    const searched: (string | null)[] = [];
    const router = open("/players");
    server.use(
      http.post("*/api/operate/players/search", async ({ request }) => {
        searched.push(((await request.clone().json()) as { search: string }).search);
        return undefined;
      }),
    );
    const field = await screen.findByLabelText("Search for players");
    await userEvent.keyboard("/");
    expect(field).toHaveFocus();
    await userEvent.keyboard("per");
    const found = within(await screen.findByRole("table", { name: "Players that were found" }));
    const first = found.getByRole("link", { name: "Perseus" });
    expect(screen.queryByRole("table", { name: "Frozen players" })).toBeNull();
    expect(searched.at(-1)).toBe("per");
    expect(router.state.location.search).toBe("");
    expect(router.state.location.state).toEqual({ search: "per" });
    await userEvent.keyboard("{ArrowDown}");
    expect(first).toHaveFocus();
    await userEvent.keyboard("{ArrowDown}");
    expect(found.getByRole("link", { name: "Persephone" })).toHaveFocus();
    await userEvent.keyboard("{ArrowUp}{ArrowUp}");
    expect(field).toHaveFocus();
    await userEvent.keyboard("{ArrowDown}{Enter}");
    await screen.findByRole("heading", { name: "Perseus" });
    expect(router.state.location.pathname).toBe("/players/P1");
    expect(document.getElementById("main")).toHaveFocus();
  });

  it("who are frozen are listed with the reason", async () => {
    open("/players#frozen");
    const scrolled = vi.spyOn(Element.prototype, "scrollIntoView");
    const list = within(await screen.findByRole("table", { name: "Frozen players" }));
    expect(list.getByRole("link", { name: "Persephone" })).toHaveAttribute("href", "/players/P2");
    expect(scrolled.mock.instances).toEqual([document.getElementById("frozen")]);
    expect(list.getByText("Pomegranates")).toBeVisible();
    expect(list.getByText("By the owner: “This was not me” in an email")).toBeVisible();
  });

  it("are no links for a role that may not see them", async () => {
    open("/shop", { session: session({ role: "economy", rights: ["shop list"] }) });
    expect((await screen.findAllByText("P1"))[0]).toBeVisible();
    expect(screen.queryByRole("link", { name: "P1" })).toBeNull();
  });

  it("are shown with everything, as text", async () => {
    open("/players/P1", { "players/P1": playerPage({ frozen: { since: "2026-11-30T10:00:00Z" } }) });
    expect(await screen.findByText(/The owner did it, by “This was not me”/)).toBeVisible();
    expect(screen.getByText("3 given, 1 open, 1 failed, 0 cancelled. The newest first.")).toBeVisible();
    expect(screen.getByText("<b>none</b>")).toBeVisible();
    expect(screen.getByRole("link", { name: "OR1" })).toHaveAttribute("href", "/orders/OR1");
    expect(screen.getByRole("button", { name: `Copy the transaction ${hash.slice(0, 6)}…ab12` })).toBeVisible();
    expect(screen.getAllByTitle("2026-11-30 10:00:05 UTC")).toHaveLength(1);
  });
});

describe("the log", () => {
  it("has its filters in the address, and loads more", async () => {
    const asked: string[] = [];
    const router = open("/log?kind=operator");
    server.use(
      http.get("*/api/operate/log", ({ request }) => {
        const { search, searchParams } = new URL(request.url);
        asked.push(search);
        const cursor = searchParams.get("cursor");
        return HttpResponse.json({
          items: [{ id: `E${cursor}`, at: "2026-11-30T10:00:00Z", event: cursor ? "log.pruned" : "account.created", kind: "portal" }],
          ...(!cursor && { nextCursor: "c1" }),
        });
      }),
    );
    await screen.findByText("account.created");
    expect(screen.getByLabelText("By")).toHaveValue("operator");
    await userEvent.type(screen.getByLabelText("Player’s id"), " P1 ");
    await userEvent.click(screen.getByRole("button", { name: "Filter" }));
    await waitFor(() => expect(router.state.location.search).toBe("?player=P1"));
    expect(screen.getByLabelText("By")).toBeDisabled();
    await userEvent.click(await screen.findByRole("button", { name: "Load more" }));
    await screen.findByText("log.pruned");
    expect(screen.getByText("account.created")).toBeVisible();
    expect(screen.queryByRole("button", { name: "Load more" })).toBeNull();
    expect(asked).toEqual(["?kind=operator", "?player=P1", "?player=P1&cursor=c1"]);
    await userEvent.click(screen.getByRole("button", { name: "Clear" }));
    await waitFor(() => expect(router.state.location.search).toBe(""));
    expect(screen.getByLabelText("Player’s id")).toHaveValue("");
    expect(screen.getByLabelText("By")).toBeEnabled();
  });
});

describe("rewards", () => {
  it("are chosen by their state in the address", async () => {
    const states: (string | null)[] = [];
    open("/rewards");
    server.use(
      http.get("*/api/operate/rewards", ({ request }) => {
        states.push(new URL(request.url).searchParams.get("state"));
        return undefined;
      }),
    );
    const choices = await screen.findByRole("navigation", { name: "Which rewards" });
    expect(within(choices).getByRole("link", { name: "Failed" })).toHaveAttribute("aria-current", "page");
    await screen.findByText("burn:1:2");
    await userEvent.click(within(choices).getByRole("link", { name: "Without a player" }));
    await waitFor(() => expect(states).toEqual(["failed", "unowned"]));
  });
});

describe("the frame", () => {
  it("leads to the pages of the role, on phones from a menu", async () => {
    open("/", { session: session({ rights: everyRight.filter((right) => right !== "operator list") }) });
    await screen.findByRole("heading", { name: "Home" });
    expect(screen.getByRole("link", { name: "Skip to the content" })).toHaveAttribute("href", expect.stringContaining("#main"));
    const pages = screen.getByRole("navigation", { name: "Pages" });
    expect(within(pages).queryByRole("link", { name: "Team" })).toBeNull();
    const menu = screen.getByRole("button", { name: "Menu" });
    await userEvent.click(menu);
    const dialog = await screen.findByRole("dialog", { name: "Menu" });
    await userEvent.keyboard("{Escape}");
    await waitFor(() => expect(dialog).not.toBeInTheDocument());
    await waitFor(() => expect(menu).toHaveFocus());
    await userEvent.click(menu);
    await userEvent.click(within(await screen.findByRole("dialog")).getByRole("link", { name: "Gas" }));
    await screen.findByRole("heading", { name: "Gas" });
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("offers nothing on the operator’s own role", async () => {
    open("/team");
    await screen.findByText("(you)");
    expect(screen.getByRole("button", { name: "New link for Grace" })).toBeVisible();
    expect(screen.queryByRole("button", { name: "New link for Ada" })).toBeNull();
  });

  it("says what a role cannot see", async () => {
    open("/team", { session: session({ role: "support", rights: ["player show"] }) });
    expect(await screen.findByText("Your role, support, cannot see this. An owner can change roles.")).toBeVisible();
  });

  it("keeps nothing in the browser's storage", async () => {
    open("/players/P1");
    await screen.findByText("perseus@olympus.example");
    expect(localStorage).toHaveLength(0);
    expect(sessionStorage).toHaveLength(0);
    queryClient.clear();
  });
});
