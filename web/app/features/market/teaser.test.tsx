import { act, render, screen } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { beforeEach, describe, expect, it } from "vitest";
import { flags } from "~/features/flags/store";
import { keys, write } from "~/lib/storage";
import { listing } from "../../../test/make";
import { HttpResponse, http, server } from "../../../test/server";
import { assorted, Teaser } from "./components/teaser";
import type { ListingPage } from "./queries";

type Offer = ListingPage["items"][number];

const offer = (listingId: string, name: string, collection: string): Offer => {
  const { metadata, ...rest } = listing({ listingId });
  return { ...rest, metadata: { ...metadata, name, collection } };
};

const show = () =>
  render(
    <MemoryRouter>
      <Teaser />
    </MemoryRouter>,
  );

/** The flags as loaded, with the market open to visitors or not. */
const openToVisitors = (enabled: boolean) => flags.set({ flags: { public_market: { enabled } }, loading: false, isFetched: true });

describe("the first page's teaser of the market", () => {
  beforeEach(() => openToVisitors(true));

  it("takes collections by turns, and one of things that are called the same", () => {
    const names = assorted([
      offer("1", "Bow", "arms"),
      offer("2", "Bow", "arms"),
      offer("3", "Axe", "arms"),
      offer("4", "Ianthe", "faces"),
    ]);
    expect(names.map(({ metadata }) => metadata.name)).toEqual(["Bow", "Ianthe", "Axe"]);
  });

  it("keeps no place for what is not there", async () => {
    let query = "";
    server.use(
      http.get("*/api/marketplace/listings", ({ request }) => {
        query = new URL(request.url).search;
        return HttpResponse.json({ items: [offer("1", "Bow", "arms"), offer("2", "Bow", "arms")], total: 2 });
      }),
    );
    show();
    expect(screen.getAllByRole("listitem")).toHaveLength(5);
    await screen.findByRole("link", { name: "Bow" });
    expect(query).toBe("?sort=rarity&limit=40");
    expect(screen.getAllByRole("listitem")).toHaveLength(1);
  });

  it("reads nothing for visitors while the market is for players alone, nor before that is known", async () => {
    let reads = 0;
    server.use(
      http.get("*/api/marketplace/listings", () => {
        reads++;
        return HttpResponse.json({ items: [offer("1", "Bow", "arms")], total: 1 });
      }),
    );
    flags.set(flags.initial);
    const { unmount } = show();
    expect(screen.queryByRole("status")).toBeNull();
    act(() => openToVisitors(false));
    expect((await screen.findByRole("status")).textContent).toBe("Sign in to see what players sell. ");
    expect(reads).toBe(0);
    unmount();
    openToVisitors(true);
    show();
    await screen.findByRole("link", { name: "Bow" });
    expect(reads).toBe(1);
  });

  // Spec: ACCESS-9
  it("asks visitors to sign in where the market is for players alone, and shows it to players", async () => {
    const page = { items: [offer("1", "Bow", "arms")], total: 1 };
    server.use(
      http.get("*/api/marketplace/listings", ({ request }) =>
        request.headers.get("Authorization") === "token"
          ? HttpResponse.json(page)
          : HttpResponse.json({ detail: "Please sign in to continue." }, { status: 401 }),
      ),
    );
    const { unmount } = show();
    expect((await screen.findByRole("status")).textContent).toBe("Sign in to see what players sell. ");
    expect(screen.getByRole("link", { name: "See everything" })).toBeDefined();
    expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
    unmount();
    write(keys.token, "token");
    show();
    await screen.findByRole("link", { name: "Bow" });
  });
});
