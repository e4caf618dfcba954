import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it } from "vitest";
import { session } from "~/features/session/store";
import { queryClient } from "~/lib/query";
import { keys } from "~/lib/storage";
import { HttpResponse, http, problem, server } from "../../../test/server";
import { Banners } from "./components/banner";
import { NewsList } from "./components/news";
import type { NewsItem } from "./queries";

const item = (id: string, some: Partial<NewsItem> = {}): NewsItem => ({
  id,
  title: `Title of ${id}`,
  html: `<p>Text of ${id}. <a href="/games">More</a></p>`,
  from: "2026-12-01T00:00:00Z",
  banner: true,
  ...some,
});

/** Serves news items, and returns the tokens of requests. */
function serve(...items: NewsItem[]) {
  const tokens: (string | null)[] = [];
  server.use(
    http.get("*/api/moves", () => HttpResponse.json({ moves: [] })),
    http.get("*/api/news", ({ request }) => {
      tokens.push(request.headers.get("Authorization"));
      return HttpResponse.json({ items });
    }),
  );
  return tokens;
}

afterEach(() => {
  session.set(session.initial);
});

describe("banners", () => {
  // Spec: PAGE-22
  it("are shown one after the other, and those that were closed not again", async () => {
    serve(item("launch"), item("maintenance"), item("story", { banner: false }));
    const { unmount } = render(<Banners />);
    expect(await screen.findByRole("region", { name: "Announcement" })).toHaveTextContent("Text of launch.");
    expect(screen.getByRole("link", { name: "More" })).toHaveAttribute("href", "/games");
    await userEvent.click(screen.getByRole("button", { name: "Close: Title of launch" }));
    expect(screen.getByRole("region", { name: "Announcement" })).toHaveTextContent("Text of maintenance.");
    unmount();
    render(<Banners />);
    expect(await screen.findByRole("region", { name: "Announcement" })).toHaveTextContent("Text of maintenance.");
    await userEvent.click(screen.getByRole("button", { name: "Close: Title of maintenance" }));
    expect(screen.queryByRole("region")).toBeNull();
    expect(document.body.style.paddingBottom).toBe("");
  });

  it("are those of the reader: signing out asks again, as somebody else", async () => {
    localStorage.setItem(keys.token, "a.b.c");
    session.set({ isAuthenticated: true });
    const tokens = serve(item("for-players"));
    render(<Banners />);
    expect(await screen.findByRole("region", { name: "Announcement" })).toHaveTextContent("Text of for-players.");
    expect(tokens).toEqual(["a.b.c"]);
    const later = serve(item("for-visitors"));
    localStorage.removeItem(keys.token);
    act(() => session.set({ isAuthenticated: false }));
    expect(screen.queryByRole("region")).toBeNull();
    expect(await screen.findByText(/^Text of for-visitors\./)).toBeInTheDocument();
    expect(later).toEqual([null]);
    expect(screen.queryByText(/^Text of for-players\./)).toBeNull();
  });
});

describe("the news", () => {
  const show = () => render(<NewsList />);

  it("are listed with their days", async () => {
    serve(item("launch"), item("story", { banner: false, from: "2026-11-05T12:00:00Z" }));
    show();
    expect(await screen.findByRole("heading", { name: "Title of launch" })).toBeInTheDocument();
    expect(screen.getByRole("heading", { name: "Title of story" }).closest("li")).toHaveTextContent("November 5, 2026");
  });

  it("say so where there are none, and where they do not load", async () => {
    serve();
    const { unmount } = show();
    expect(await screen.findByText("No news yet")).toBeInTheDocument();
    unmount();
    queryClient.clear();
    server.use(http.get("*/api/news", () => problem(400, "Not now.")));
    show();
    expect(await screen.findByText("Not now.", { exact: false })).toBeInTheDocument();
  });
});
