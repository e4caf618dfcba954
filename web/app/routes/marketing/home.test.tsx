import { act, render, screen, within } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { describe, expect, it, vi } from "vitest";
import { pages } from "#brand/pages";
import { session } from "~/features/session/store";
import { paths } from "~/lib/paths";
import { signedIn } from "../../../test/make";
import Home from "./home";

vi.mock("~/features/market/components/teaser", () => ({ Teaser: () => null }));
vi.mock("~/features/market/components/cheapest", () => ({ Cheapest: () => null }));

/** The names of the links below a heading. */
const cards = (heading: string) =>
  within(screen.getByRole("heading", { name: heading }).closest("section") as HTMLElement)
    .getAllByRole("link")
    .map((link) => [link.querySelector("span.display")?.textContent ?? link.textContent, link.getAttribute("href")]);

describe("the first page", () => {
  const open = () => render(<RouterProvider router={createMemoryRouter([{ path: "/", element: <Home /> }])} />);

  it("says what one can do here, and leads to it", () => {
    open();
    expect(screen.getByRole("heading", { level: 1, name: "Collect, buy and sell game items" })).toBeInTheDocument();
    expect(screen.getByText(/Your account is free. You need no wallet software and pay no network fees./)).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "Enter the market" })).toHaveAttribute("href", paths.market);
  });

  it("offers an account to visitors, and to players what they own", () => {
    open();
    expect(screen.getByRole("link", { name: "Create a free account" })).toHaveAttribute("href", paths.register());
    act(() => void signedIn());
    expect(screen.queryByRole("link", { name: "Create a free account" })).toBeNull();
    expect(screen.getByRole("link", { name: "What I own" })).toHaveAttribute("href", paths.inventory);
    act(() => session.set(session.initial));
  });

  // Spec: UI-5
  it("features the three games and the three collections in their order; piggy banks by an article elsewhere", () => {
    render(<RouterProvider router={createMemoryRouter([{ path: "/", element: <Home /> }])} />);
    expect(cards("Three games, one treasury")).toEqual([
      ["Immortal Siege", paths.immortalSiege],
      ["King of Destiny", pages.kingOfDestiny],
      ["InfiniMerge", pages.infiniMerge],
    ]);
    expect(cards("What people keep")).toEqual([
      ["The Elder Gods", pages.elderGods],
      ["InfiniPasses", pages.infiniPass],
      ["Piggy Banks", "https://en.wikipedia.org/wiki/Piggy_bank"],
    ]);
    expect(screen.getByRole("link", { name: /Piggy Banks/ })).toHaveAttribute("target", "_blank");
  });
});
