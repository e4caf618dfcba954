import { render, screen } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { describe, expect, it } from "vitest";
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

describe("the first page's teaser of the market", () => {
  it("takes collections by turns, and one of things that are called the same", () => {
    const names = assorted([offer("1", "Bow", "arms"), offer("2", "Bow", "arms"), offer("3", "Axe", "arms"), offer("4", "Ianthe", "faces")]);
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
    render(
      <MemoryRouter>
        <Teaser />
      </MemoryRouter>,
    );
    expect(screen.getAllByRole("listitem")).toHaveLength(5);
    await screen.findByRole("link", { name: "Bow" });
    expect(query).toBe("?sort=rarity&limit=40");
    expect(screen.getAllByRole("listitem")).toHaveLength(1);
  });

  it("asks visitors to sign in where the market is for players alone, and shows it to players", async () => {
    const page = { items: [offer("1", "Bow", "arms")], total: 1 };
    server.use(
      http.get("*/api/marketplace/listings", ({ request }) =>
        request.headers.get("Authorization") === "token"
          ? HttpResponse.json(page)
          : HttpResponse.json({ detail: "Please sign in to continue." }, { status: 401 }),
      ),
    );
    const show = () =>
      render(
        <MemoryRouter>
          <Teaser />
        </MemoryRouter>,
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
