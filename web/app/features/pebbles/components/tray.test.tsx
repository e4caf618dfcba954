import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { Tray } from "./tray";

const stones = (name: string) => screen.getAllByRole("button", { name });

describe("the tray", () => {
  // Spec: PAGE-20
  it("is played by keyboard alone", async () => {
    const user = userEvent.setup();
    render(<Tray />);
    stones("Pebble")[0]?.focus();
    await user.keyboard("{Enter}");
    expect(stones("Pebble")[0]).toHaveAttribute("aria-pressed", "true");
    await user.tab();
    await user.keyboard(" ");
    expect(stones("Pebble")).toHaveLength(9);
    expect(screen.getByRole("button", { name: "Bead" })).toHaveFocus();
    expect(screen.getByRole("status")).toHaveTextContent("Two became one: bead.");
  });

  it("takes another stone instead where two are not alike", async () => {
    const user = userEvent.setup();
    render(<Tray />);
    for (const i of [0, 1]) await user.click(stones("Pebble")[i] as HTMLElement);
    await user.click(stones("Pebble")[0] as HTMLElement);
    await user.click(screen.getByRole("button", { name: "Bead" }));
    expect(screen.getByRole("status")).toHaveTextContent("not alike");
    expect(screen.getByRole("button", { name: "Bead" })).toHaveAttribute("aria-pressed", "true");
  });

  it("says what is left when nothing fits, and begins again", async () => {
    const user = userEvent.setup();
    render(<Tray />);
    for (let n = 11; n > 3; n--) await user.click(screen.getByRole("button", { name: "One fewer to begin with" }));
    for (const i of [0, 1]) await user.click(stones("Pebble")[i] as HTMLElement);
    expect(
      screen.getByText(
        "Nothing fits any more: two pieces, of levels 2 and 1. Write 3 in binary and you get 11; the ones are what you see.",
      ),
    ).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Begin again" }));
    expect(stones("Pebble")).toHaveLength(3);
  });
});
