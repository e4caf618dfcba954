import { QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter } from "react-router";
import { describe, expect, it } from "vitest";
import { queryClient } from "~/lib/query";
import { contract, listing } from "../../../test/make";
import { HttpResponse, http, server } from "../../../test/server";
import { Immortals } from "./components/immortals";
import type { Holding } from "./queries";

describe("the roll of immortals", () => {
  const immortal = (tokenId: string, rarity: string): Holding => {
    const { metadata } = listing();
    return {
      contract,
      tokenId,
      amount: "1",
      wallet: "smart",
      metadata: {
        ...metadata,
        name: `Telon ${tokenId}, the Wide-Awake`,
        rarity,
        attributes: [{ trait_type: "Calling", value: `Watch ${tokenId}` }],
      },
    };
  };
  const names = () => screen.getAllByRole("heading", { level: 2 }).map((heading) => heading.textContent);

  // Spec: ITEM-4
  it("has each with what they are called to, the rarest first, and on going on leaves what was read where it was", async () => {
    const pages: Record<string, object> = {
      "": { total: 3, nextCursor: "more", items: [immortal("1", "common"), immortal("2", "epic")] },
      more: { total: 3, items: [immortal("3", "mythic")] },
    };
    server.use(
      http.get("*/api/auth/nft/listImmortals", ({ request }) =>
        HttpResponse.json(pages[new URL(request.url).searchParams.get("cursor") ?? ""]),
      ),
    );
    render(
      <QueryClientProvider client={queryClient}>
        <MemoryRouter>
          <Immortals />
        </MemoryRouter>
      </QueryClientProvider>,
    );
    expect(await screen.findByText("Watch 2")).toBeInTheDocument();
    expect(names()).toEqual(["Telon 2", "Telon 1"]);
    await userEvent.click(screen.getByRole("button", { name: "Show more" }));
    await screen.findByText("Watch 3");
    expect(names()).toEqual(["Telon 2", "Telon 1", "Telon 3"]);
    expect(screen.queryByRole("button", { name: "Show more" })).toBeNull();
  });
});
