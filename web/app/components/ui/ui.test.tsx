import { readFileSync } from "node:fs";
import { join } from "node:path";
import { act, fireEvent, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import toast from "react-hot-toast/headless";
import { MemoryRouter } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Button } from "./button";
import { Checkbox } from "./checkbox";
import { Countdown } from "./countdown";
import { Dialog } from "./dialog";
import { FailedLine } from "./failed-line";
import { Form } from "./form";
import { ItemCard } from "./item-card";
import { Menu } from "./menu";
import { PasswordField } from "./password-field";
import { RarityBadge, rarities } from "./rarity";
import { Spinner } from "./spinner";
import { FailedState } from "./states";
import { notify, notifyAnywhere, Toaster } from "./toasts";
import { Tooltip } from "./tooltip";

describe("a checkbox", () => {
  it("shows a press before its owner does, and follows the owner after it", async () => {
    const asked: boolean[] = [];
    const at = (checked: boolean) => (
      <Checkbox checked={checked} onChange={(on) => void asked.push(on)}>
        Free now
      </Checkbox>
    );
    const { rerender } = render(at(false));
    const box = screen.getByRole("checkbox", { name: "Free now" });
    await userEvent.click(box);
    expect(box).toBeChecked();
    await userEvent.click(box);
    expect(box).not.toBeChecked();
    await userEvent.click(box);
    rerender(at(true));
    expect(box).toBeChecked();
    rerender(at(false)); // Back
    expect(box).not.toBeChecked();
    expect(asked).toEqual([true, false, true]);
  });
});

describe("the spinner", () => {
  // Spec: UI-6
  it("is round, black and 100 pixels wide unless said otherwise, and says that something loads", () => {
    render(<Spinner />);
    const spinner = screen.getByRole("status", { name: "Loading" });
    expect(spinner).toHaveAttribute("width", "100");
    expect(spinner).toHaveAttribute("height", "100");
    expect(spinner).toHaveAttribute("stroke", "black");
  });
  // Spec: UI-6
  it("takes a colour and a size", () => {
    render(<Spinner color="red" size={20} />);
    expect(screen.getByRole("status")).toHaveAttribute("width", "20");
    expect(screen.getByRole("status")).toHaveAttribute("stroke", "red");
  });
});

describe("toasts", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());
  const shown = () => within(screen.getByRole("region", { name: "Notices" })).queryAllByText(/./).length > 0;
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

  // Spec: UI-7
  it.each([undefined, null, ""])("are not shown without a message (%j)", (message) => {
    expect(notify("error", message)).toBeUndefined();
    render(<Toaster />);
    expect(shown()).toBe(false);
  });

  // Spec: UI-7, UI-8
  it.each([
    ["blank", 4000],
    ["error", 4000],
    ["success", 2000],
  ] as const)("of kind %s stay for %i ms and are gone a second later", async (kind, duration) => {
    render(<Toaster />);
    act(() => void notify(kind, "Hear ye"));
    await pass(duration - 1);
    expect(screen.getByText("Hear ye").closest("[role=status]")).toHaveClass("opacity-100");
    await pass(1);
    expect(screen.getByText("Hear ye").closest("[role=status]")).toHaveClass("opacity-0");
    await pass(1000);
    expect(screen.queryByText("Hear ye")).toBeNull();
  });

  it("of success and of errors have icons of their own", () => {
    render(<Toaster />);
    act(() => void notify("success", "It is done"));
    act(() => void notify("error", "It is not"));
    const icon = (text: string) => screen.getByText(text).closest("[role=status]")?.querySelector("svg")?.innerHTML;
    expect(icon("It is done")).toBeTruthy();
    expect(icon("It is not")).toBeTruthy();
    expect(icon("It is not")).not.toBe(icon("It is done"));
  });

  // Spec: UI-7, UI-8
  it("that say that something loads stay", async () => {
    render(<Toaster />);
    act(() => void notify("loading", "Wait"));
    await pass(3_600_000);
    expect(screen.getByText("Wait")).toBeInTheDocument();
  });

  // Spec: UI-8
  it("are 20 at most", () => {
    render(<Toaster />);
    act(() => {
      for (let i = 1; i <= 25; i++) notify("loading", `Number ${i}`);
    });
    expect(screen.getAllByText(/^Number/)).toHaveLength(20);
    expect(screen.getByText("Number 25")).toBeInTheDocument();
  });

  // Spec: UI-9
  it("stand at the bottom in the middle, 8 px apart and at most 350 px wide, those that fail with a sign of warning", () => {
    vi.spyOn(HTMLElement.prototype, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 0, 300, 50));
    render(<Toaster />);
    act(() => void notify("blank", "First"));
    act(() => void notify("error", "Second"));
    const [first, second] = ["First", "Second"].map((text) => screen.getByText(text).closest<HTMLElement>("[role=status]"));
    expect(second).toHaveClass("inset-x-0", "justify-center");
    expect([second, first].map((t) => t?.style.getPropertyValue("--offset"))).toEqual(["0px", `${50 + 8}px`]);
    expect(second?.firstElementChild).toHaveClass("max-w-[350px]");
    expect(second?.querySelector(".text-bad svg")).not.toBeNull();
    expect(first?.querySelector(".text-bad")).toBeNull();
  });

  // Spec: UI-9
  it("stand at the bottom on phones too", () => {
    const rules = readFileSync(join(import.meta.dirname, "../../styles/toasts.css"), "utf8");
    expect(rules).toContain("bottom: 1rem");
    expect(rules).not.toMatch(/\btop:/);
  });

  it("have a place made for them on a page that has none, until a page with one opens", async () => {
    const before = document.body.childElementCount;
    act(() => notifyAnywhere("error", "Failed to logout", "Sorry."));
    const notices = () => screen.getAllByRole("region", { name: "Notices" });
    expect(notices()).toHaveLength(1);
    expect(screen.getByText("Failed to logout")).toBeInTheDocument();
    await act(async () => void render(<Toaster />));
    expect(notices()).toHaveLength(1);
    expect(screen.getAllByText("Failed to logout")).toHaveLength(1);
    expect(document.body.childElementCount).toBe(before + 1); // the page's own; the other one is removed
    act(() => notifyAnywhere("error", "Again"));
    expect(notices()).toHaveLength(1);
  });

  it("end by their time, also while a mouse rests on them", async () => {
    render(<Toaster />);
    act(() => void notify("error", "Read"));
    fireEvent.pointerEnter(screen.getByRole("region", { name: "Notices" }), { pointerType: "mouse" });
    await pass(4000);
    await pass(1000);
    expect(screen.queryByText("Read")).toBeNull();
  });

  it("let presses through to what is below, but for their own controls", () => {
    render(<Toaster />);
    act(() => void notify("error", "Read"));
    expect(screen.getByRole("region", { name: "Notices" })).toHaveClass("pointer-events-none");
    const box = screen.getByRole("button", { name: "Dismiss" }).parentElement;
    expect(box).toHaveClass("[&_:is(a,button)]:pointer-events-auto");
    expect(box).not.toHaveClass("pointer-events-auto");
  });

  it("can be dismissed", async () => {
    render(<Toaster />);
    act(() => void notify("error", "No"));
    act(() => screen.getByRole("button", { name: "Dismiss" }).click());
    await pass(1000);
    expect(screen.queryByText("No")).toBeNull();
    act(() => toast.remove());
  });
});

describe("a password", () => {
  const form = (onSubmit: () => Promise<unknown>) =>
    render(
      <Form rules={{ password: () => undefined }} action="Send" onSubmit={onSubmit}>
        {() => <PasswordField label="Password" name="password" autoComplete="current-password" />}
      </Form>,
    );

  it("is shown when asked for, and hidden again when it is sent", async () => {
    form(async () => {});
    const field = screen.getByLabelText("Password");
    await userEvent.type(field, "three odd herons");
    expect(field).toHaveAttribute("type", "password");
    await userEvent.click(screen.getByRole("button", { name: "Show password" }));
    expect(field).toHaveAttribute("type", "text");
    expect(field).toHaveValue("three odd herons");
    expect(screen.getByRole("button", { name: "Hide password" })).toHaveFocus();
    await userEvent.click(screen.getByRole("button", { name: "Send" }));
    expect(field).toHaveAttribute("type", "password");
  });

  it("is sent once, however often the button is pressed, and the focus stays where it is", async () => {
    let done = (_: string) => {};
    const send = vi.fn(() => new Promise<string>((resolve) => (done = resolve)));
    form(send);
    const button = screen.getByRole("button", { name: "Send" });
    await userEvent.dblClick(button);
    await userEvent.type(screen.getByLabelText("Password"), "{Enter}");
    expect(send).toHaveBeenCalledOnce();
    expect(button).toHaveAttribute("aria-disabled", "true");
    button.focus();
    await act(async () => done("It is done."));
    expect(screen.getByText("It is done.")).toHaveRole("status");
    expect(button).toHaveFocus();
    expect(button).not.toHaveAttribute("aria-disabled");
  });
});

describe("a button that is busy", () => {
  it("keeps the focus and ignores presses", async () => {
    const press = vi.fn();
    render(
      <Button busy onClick={press}>
        Pay
      </Button>,
    );
    const button = screen.getByRole("button");
    button.focus();
    await userEvent.click(button);
    expect(press).not.toHaveBeenCalled();
    expect(button).toHaveFocus();
    expect(button).toHaveAttribute("aria-busy", "true");
  });
});

describe("what did not load", () => {
  it("says so, and shows that it tries again until that is done", async () => {
    let done = () => {};
    const again = vi.fn(() => new Promise<void>((resolve) => (done = resolve)));
    render(
      <>
        <FailedState title="Gone" onRetry={again}>
          Nothing came.
        </FailedState>
        <FailedLine onRetry={again}>Not known.</FailedLine>
      </>,
    );
    const [state, line] = screen.getAllByRole("button", { name: "Try again" }) as [HTMLElement, HTMLElement];
    await userEvent.click(state);
    await userEvent.click(state);
    expect(again).toHaveBeenCalledOnce();
    expect(state).toHaveAttribute("aria-busy", "true");
    await act(async () => done());
    expect(state).not.toHaveAttribute("aria-busy");
    await userEvent.click(line);
    expect(line).toHaveTextContent("Trying…");
    await act(async () => done());
    expect(line).toHaveTextContent("Try again");
  });
});

describe("a tooltip", () => {
  it("describes what it explains, and is moved into the page where it would stand over its edge", async () => {
    render(
      <Tooltip text="It never comes out of your wallet.">
        {(id) => (
          <button type="button" aria-describedby={id}>
            We pay it
          </button>
        )}
      </Tooltip>,
    );
    const tip = screen.getByRole("tooltip");
    expect(screen.getByRole("button")).toHaveAccessibleDescription("It never comes out of your wallet.");
    vi.spyOn(document.documentElement, "clientWidth", "get").mockReturnValue(390);
    const place = vi.spyOn(tip, "getBoundingClientRect").mockReturnValue(new DOMRect(200, 0, 224, 40));
    act(() => screen.getByRole("button").focus());
    expect(tip.style.translate).toBe("calc(-50% - 42px)"); // 424 + 8 - 390
    place.mockReturnValue(new DOMRect(-30, 0, 224, 40));
    await userEvent.hover(screen.getByRole("button"));
    expect(tip.style.translate).toBe("calc(-50% + 38px)");
  });
});

describe("a countdown", () => {
  beforeEach(() => vi.useFakeTimers({ now: 1_000_000 }));
  afterEach(() => vi.useRealTimers());

  it("counts down by the second and is spoken in words", async () => {
    render(<Countdown until={1_061_000} label="Held for" />);
    const timer = screen.getByRole("timer");
    expect(timer).toHaveTextContent("Held for 1 minute 1 second1:01");
    await act(() => vi.advanceTimersByTimeAsync(1000));
    expect(timer).toHaveTextContent("1:00");
    await act(() => vi.advanceTimersByTimeAsync(120_000));
    expect(timer).toHaveTextContent("0:00");
  });
});

/** A page whose button opens a dialog. */
function Page() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      <Dialog open={open} onOpenChange={setOpen} title="Title" description="Words">
        <button type="button">Inside</button>
      </Dialog>
    </>
  );
}

describe("a dialog", () => {
  it("keeps the focus inside, and gives it back when Escape closes it", async () => {
    render(<Page />);
    await userEvent.click(screen.getByRole("button", { name: "Open" }));
    const dialog = screen.getByRole("dialog", { name: "Title", description: "Words" });
    for (let i = 0; i < 5; i++) {
      await userEvent.tab();
      expect(dialog).toContainElement(document.activeElement as HTMLElement);
    }
    await userEvent.keyboard("{Escape}");
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(screen.getByRole("button", { name: "Open" })).toHaveFocus();
  });

  it("writes no style element, which the content security policy would refuse", async () => {
    render(<Page />);
    const before = document.querySelectorAll("style").length;
    await userEvent.click(screen.getByRole("button", { name: "Open" }));
    expect(document.querySelectorAll("style")).toHaveLength(before);
  });
});

describe("a menu", () => {
  it("closes with Escape and gives the focus back, and closes when it is left", async () => {
    render(
      <>
        <Menu label="More">
          <a href="/x">Entry</a>
        </Menu>
        <button type="button">After</button>
      </>,
    );
    const menu = screen.getByText("More").closest("details") as HTMLDetailsElement;
    menu.open = true;
    screen.getByRole("link").focus();
    await userEvent.keyboard("{Escape}");
    expect(menu.open).toBe(false);
    expect(screen.getByText("More")).toHaveFocus();
    menu.open = true;
    screen.getByRole("link").focus();
    act(() => screen.getByRole("button").focus());
    expect(menu.open).toBe(false);
  });
});

describe("rarities", () => {
  it("have each a shape, a colour and a word of their own", () => {
    render(rarities.map((rarity) => <RarityBadge key={rarity} rarity={rarity} />));
    const badges = rarities.map((rarity) => screen.getByText(rarity));
    expect(new Set(badges.map((badge) => badge.querySelector("path")?.getAttribute("d"))).size).toBe(6);
    expect(new Set(badges.map((badge) => badge.className)).size).toBe(6);
  });
});

describe("an item's card", () => {
  it("is named by its item and links to it once", () => {
    render(
      <MemoryRouter>
        <ItemCard to="/item" image="/x.svg" name="Kingmaker" rarity="legendary" />
      </MemoryRouter>,
    );
    expect(screen.getByRole("heading", { name: "Kingmaker" })).toBeInTheDocument();
    expect(screen.getAllByRole("link")).toHaveLength(1);
    expect(screen.getByRole("link", { name: "Kingmaker" })).toHaveAttribute("href", "/item");
  });
});
