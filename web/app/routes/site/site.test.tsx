import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createRoutesStub, Link } from "react-router";
import { beforeEach, describe, expect, it } from "vitest";
import { brand } from "#brand";
import { flags } from "~/features/flags/store";
import { session } from "~/features/session/store";
import Site from "../site";

const on = { enabled: true };
const off = { enabled: false };

const Home = () => <Link to="/our-team">Onward</Link>;
const Elsewhere = () => <h1>Elsewhere</h1>;
const Stub = createRoutesStub([
  {
    Component: Site,
    children: [
      { path: "/", Component: Home },
      { path: "*", Component: Elsewhere },
    ],
  },
]);

const main = () => within(screen.getAllByRole("navigation", { name: "Main" })[0] as HTMLElement);
const destinations = (within_: ReturnType<typeof main>) =>
  within_.getAllByRole("link").map((link) => [link.textContent, link.getAttribute("href")]);

beforeEach(() => {
  session.set({ isLoading: false });
  flags.set({ flags: { "2": on, "4": on }, loading: false, isFetched: true });
});

describe("the main navigation", () => {
  // Spec: UI-1, UI-2
  it("has its six entries in their order, two of them menus", () => {
    render(<Stub />);
    const entries = main().getAllByText(/^(Leaderboard|King Of Destiny|Collections|Webstore|Our Team|Other Games)$/);
    expect(entries.map((entry) => entry.textContent)).toEqual([
      "Leaderboard",
      "King Of Destiny",
      "Collections",
      "Webstore",
      "Our Team",
      "Other Games",
    ]);
    expect(destinations(main())).toEqual([
      ["Leaderboard", "/kod-leaderboard"],
      ["King Of Destiny", "/king-of-destiny"],
      ["God Vaults", "/vault/claim"],
      ["InfiniPass", "/infinipass"],
      ["Elder Gods", "/elder-gods"],
      ["Webstore", "/webstore"],
      ["Our Team", "/our-team"],
      ["InfiniMerge", "/infinimerge"],
      ["Immortal Siege", "/immortal-siege"],
    ]);
  });

  // Spec: UI-3
  it.each([
    ["2", "Collections"],
    ["4", "Other Games"],
  ])("shows the menu of flag %s (%s) only while the flag is on", (flag, label) => {
    flags.set({ flags: { "2": on, "4": on, [flag]: off }, loading: false, isFetched: true });
    render(<Stub />);
    expect(main().getByText(label).closest("li")).toHaveClass("hidden");
    expect(
      main()
        .getByText(label === "Collections" ? "Other Games" : "Collections")
        .closest("li"),
    ).not.toHaveClass("hidden");
  });

  it("keeps the place of a menu while its flag is not known", () => {
    flags.set(flags.initial);
    render(<Stub />);
    expect(main().getByText("Collections").closest("li")).toHaveClass("invisible");
  });

  // Spec: UI-2
  it("opens and closes a menu with the keyboard, and gives the focus back", async () => {
    const user = userEvent.setup();
    render(<Stub />);
    const label = main().getByText("Collections").closest("summary") as HTMLElement;
    const menu = label.closest("details") as HTMLDetailsElement;
    await user.click(label);
    expect(menu.open).toBe(true);
    main().getByRole("link", { name: "God Vaults" }).focus();
    await user.keyboard("{Escape}");
    expect(menu.open).toBe(false);
    expect(label).toHaveFocus();
  });

  it("closes a menu on a press beside it", async () => {
    const user = userEvent.setup();
    render(<Stub />);
    const menu = main().getByText("Collections").closest("details") as HTMLDetailsElement;
    menu.open = true;
    await user.click(screen.getByRole("contentinfo"));
    expect(menu.open).toBe(false);
  });

  it("opens on a phone by a button that says whether it is open, and closes on Escape", async () => {
    const user = userEvent.setup();
    render(<Stub />);
    const button = screen.getByRole("button", { name: "Menu" });
    const menu = document.getElementById(button.getAttribute("aria-controls") ?? "");
    expect(button).toHaveAttribute("aria-expanded", "false");
    expect(menu).not.toBeVisible();
    await user.click(button);
    expect(button).toHaveAttribute("aria-expanded", "true");
    expect(menu).toBeVisible();
    await user.keyboard("{Escape}");
    expect(menu).not.toBeVisible();
    expect(button).toHaveFocus();
  });
});

describe("the page", () => {
  it("begins with a link past the navigation", async () => {
    const user = userEvent.setup();
    render(<Stub />);
    await user.tab();
    expect(screen.getByRole("link", { name: "Skip to the page" })).toHaveFocus();
    expect(screen.getByRole("link", { name: "Skip to the page" })).toHaveAttribute("href", "#main");
    expect(screen.getByRole("main")).toHaveAttribute("id", "main");
  });

  it("has the focus at its beginning when a link led to it, but not when it was opened", async () => {
    const user = userEvent.setup();
    render(<Stub />);
    expect(document.body).toHaveFocus();
    await user.click(screen.getByRole("link", { name: "Onward" }));
    expect(screen.getByRole("main")).toHaveFocus();
  });
});

describe("the footer", () => {
  // Spec: UI-4
  it("leads to six pages of the house", () => {
    render(<Stub />);
    expect(destinations(within(screen.getByRole("navigation", { name: "Footer" })))).toEqual([
      ["King Of Destiny", "/king-of-destiny"],
      ["InfiniPass", "/infinipass"],
      ["Elder Gods", "/elder-gods"],
      ["Our Team", "/our-team"],
      ["InfiniMerge", "/infinimerge"],
      ["Immortal Siege", "/immortal-siege"],
    ]);
  });

  // Spec: UI-4
  it("leads to the brand's six networks, each in a tab of its own", () => {
    render(<Stub />);
    const links = within(screen.getByRole("navigation", { name: "Social" })).getAllByRole("link");
    expect(links.map((link) => link.getAttribute("href"))).toEqual(Object.values(brand.social).map((network) => network.href));
    expect(links).toHaveLength(6);
    for (const link of links) expect(link).toHaveAttribute("target", "_blank");
  });

  it("leads to support, the whitepaper and the small print", () => {
    render(<Stub />);
    const links = within(screen.getByRole("navigation", { name: "Small print" })).getAllByRole("link");
    expect(links.map((link) => link.getAttribute("href"))).toEqual([
      "/king-of-destiny/support",
      "/whitepaper",
      "/packs/odds",
      "/terms-of-use",
      "/privacy-policy",
      "/cookie-policy",
    ]);
  });
});
