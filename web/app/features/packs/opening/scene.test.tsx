import { act, fireEvent, render, screen, within } from "@testing-library/react";
import { renderToString } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Rarity } from "~/components/ui/rarity";
import { OpeningScene, type OpeningSceneProps, type Pull } from "./scene";

const prefers = (reduced: boolean) =>
  vi.stubGlobal("matchMedia", (query: string) => ({ matches: reduced && query === "(prefers-reduced-motion: reduce)" }));

beforeEach(() => {
  vi.useFakeTimers();
  prefers(false);
  return () => vi.useRealTimers();
});

const pull = (name: string, rarity: Rarity, more: Partial<Pull> = {}): Pull => ({
  openingId: `opening-${name}`,
  contract: "0x01",
  tokenId: name,
  name,
  image: "/metadata/0x01/1/image.svg",
  rarity,
  isNew: false,
  owned: 2,
  ...more,
});
const three = [pull("Crown", "mythic", { isNew: true, owned: 1 }), pull("Sword", "common"), pull("Helm", "rare", { alsoGiven: "25 fate" })];
const twenty = Array.from({ length: 20 }, (_, i) => pull(`Card ${i + 1}`, i === 4 ? "epic" : "common"));

const close = vi.fn();
const again = vi.fn();

function Scene(props: Partial<OpeningSceneProps>) {
  return (
    <MemoryRouter>
      <OpeningScene
        pack={{ kind: "god", name: "God KOD Pack", image: "/metadata/0x02/3/image.svg" }}
        count={3}
        pulls={null}
        status="The draw is in 6 seconds."
        onClose={close}
        onAgain={again}
        verifyHref={({ openingId }) => `/packs/verify/${openingId}`}
        keepHref="/portal/my-inventory"
        {...props}
      />
    </MemoryRouter>
  );
}

/** The scene before the draw, and a way to let the draw arrive. */
function sealed(props: Partial<OpeningSceneProps> = {}) {
  const { rerender, container } = render(<Scene {...props} />);
  return { container, drawn: (pulls: Pull[] | null = three) => rerender(<Scene {...props} pulls={pulls} />) };
}

/** Lets time pass in steps, since each timer is set after the one before has been rendered. */
function wait(ms: number) {
  const step = Math.max(50, ms / 100);
  for (let left = ms; left > 0; left -= step) act(() => vi.advanceTimersByTime(Math.min(step, left)));
}
const pack = () => screen.getByRole("button", { name: "Hold to open God KOD Pack" });
const button = (name: string) => screen.getByRole("button", { name });
const phase = () => document.querySelector<HTMLElement>("section")?.dataset.phase;
const heading = () => screen.getByRole("heading", { level: 2 });
const isGrid = () => screen.queryByRole("heading", { name: /^Your / }) !== null;
/** What a screen reader was told, in order. */
const told = () => [...(document.querySelector("[aria-live=polite]")?.children ?? [])].map((line) => line.textContent);
/** The pictures of the cards that are face up on the stage, in the order of their places. */
const faceUp = () => document.querySelectorAll(".opening-card[data-up]").length;
const press = (key: string, more = {}) => fireEvent.keyDown(document.activeElement ?? document.body, { key, ...more });

/** Charges by "Open" and begins to tear. */
function torn(pulls = three) {
  const scene = sealed();
  scene.drawn(pulls);
  fireEvent.click(button("Open"));
  wait(900);
  expect(phase()).toBe("tear");
  return scene;
}

describe("charging a pack", () => {
  it("asks to hold it, and shows how the draw stands", () => {
    sealed();
    expect(heading()).toHaveTextContent("Open 3 × God KOD Pack");
    expect(screen.getByText("Hold the pack until the ring is full.")).toBeVisible();
    expect(screen.getByText("The draw is in 6 seconds.")).toBeVisible();
  });

  it("takes a pointer that is held until the ring is full", () => {
    sealed().drawn();
    fireEvent.pointerDown(pack());
    expect(screen.getByText("Keep holding.")).toBeVisible();
    wait(899);
    expect(phase()).toBe("charging");
    wait(1);
    expect(phase()).toBe("tear");
    fireEvent.pointerUp(pack());
    expect(phase()).toBe("tear");
  });

  it("begins again after a pointer that let go too early, and says so", () => {
    sealed().drawn();
    fireEvent.pointerDown(pack());
    wait(800);
    fireEvent.pointerUp(pack());
    wait(5000);
    expect(phase()).toBe("idle");
    expect(told()).toEqual(["Hold it a little longer, or press Open."]);
  });

  it.each([" ", "Enter"])("takes the key %o that is held", (key) => {
    sealed().drawn();
    pack().focus();
    press(key);
    wait(500);
    press(key, { repeat: true });
    fireEvent.keyUp(pack(), { key });
    expect(phase()).toBe("idle");
    press(key);
    wait(900);
    expect(phase()).toBe("tear");
  });

  it("takes one press of Open instead, and the focus stays on a control", () => {
    sealed().drawn();
    button("Open").focus();
    fireEvent.click(button("Open"));
    expect(button("Skip")).toHaveFocus();
    wait(900);
    expect(phase()).toBe("tear");
    expect(button("Skip")).toHaveFocus();
  });

  it("takes a screen reader's click on the pack", () => {
    sealed().drawn();
    fireEvent.click(pack(), { detail: 0 });
    wait(900);
    expect(phase()).toBe("tear");
  });

  it("waits for a draw that is late, and goes on when it arrives", () => {
    const { drawn } = sealed();
    fireEvent.click(button("Open"));
    wait(60_000);
    expect(phase()).toBe("charged");
    expect(screen.getByText("The draw is in 6 seconds.")).toBeVisible();
    expect(told()).toEqual(["Waiting for the draw."]);
    drawn();
    expect(phase()).toBe("tear");
    expect(screen.queryByText("The draw is in 6 seconds.")).toBeNull();
  });

  it("goes on if the draw arrives meanwhile", () => {
    const { drawn } = sealed();
    fireEvent.click(button("Open"));
    wait(400);
    drawn();
    expect(phase()).toBe("charging");
    wait(500);
    expect(phase()).toBe("tear");
  });

  it("is up to the player when the draw is there first", () => {
    sealed().drawn();
    wait(60_000);
    expect(phase()).toBe("idle");
  });
});

describe("the sequence", () => {
  it("turns the cards from the most common to the rarest, and names each once", () => {
    torn();
    expect(told()).toEqual([]);
    wait(900);
    expect(phase()).toBe("fan");
    expect(faceUp()).toBe(0);
    wait(800);
    expect(told()).toEqual(["Sword, common"]);
    wait(420);
    expect(told()).toEqual(["Sword, common", "Helm, rare"]);
    expect(faceUp()).toBe(2);
    wait(560);
    expect(phase()).toBe("leak");
    expect(faceUp()).toBe(2);
    wait(1000);
    expect(phase()).toBe("last");
    const all = ["Sword, common", "Helm, rare", "Crown, mythic"];
    expect(told()).toEqual(all);
    wait(2300 + 400);
    expect(isGrid()).toBe(true);
    expect(told()).toEqual(all);
  });

  it.each([1, 12, 20])("of %i cards is at the grid within 10 seconds", (n) => {
    torn(twenty.slice(0, n));
    wait(5000);
    expect(isGrid()).toBe(false);
    wait(5000);
    expect(isGrid()).toBe(true);
    expect(told()).toHaveLength(n);
  });

  it("leaves no gap when the page was busy or hidden for long", () => {
    torn();
    vi.spyOn(performance, "now").mockReturnValue(performance.now() + 60_000);
    wait(900);
    expect(isGrid()).toBe(true);
    expect(told()).toEqual(["Sword, common", "Helm, rare", "Crown, mythic"]);
  });

  it("ends with the focus on the heading of the grid", () => {
    torn();
    wait(10_000);
    expect(heading()).toHaveTextContent("Your 3 cards");
    expect(heading()).toHaveFocus();
  });

  it("takes the focus from nothing else on the page", () => {
    render(<input aria-label="Elsewhere" />);
    torn();
    screen.getByLabelText("Elsewhere").focus();
    wait(10_000);
    expect(isGrid()).toBe(true);
    expect(screen.getByLabelText("Elsewhere")).toHaveFocus();
  });
});

describe("skipping", () => {
  const whole = ["Crown, mythic; Helm, rare; Sword, common"];

  it.each([
    ["tear", 0],
    ["fan", 900],
    ["flips", 1700],
    ["leak", 2680],
    ["last", 3680],
    ["gather", 5980],
  ])("from %s goes to the grid at once and names all cards once", (name, at) => {
    torn();
    wait(at);
    expect(phase()).toBe(name);
    fireEvent.click(button("Skip"));
    expect(told()).toEqual(whole);
    expect(heading()).toHaveFocus();
    wait(20_000);
    expect(told()).toEqual(whole);
    expect(isGrid()).toBe(true);
  });

  it("works by Escape, wherever the focus is", () => {
    torn();
    fireEvent.keyDown(document.body, { key: "Escape" });
    expect(isGrid()).toBe(true);
  });

  it("works before and while the pack is charged", () => {
    sealed().drawn();
    fireEvent.pointerDown(pack());
    wait(300);
    press("Escape");
    expect(told()).toEqual(whole);
  });

  it.each(["idle", "charging", "charged"])("before the draw, when %s, shows the grid as soon as the draw arrives", (name) => {
    const { drawn } = sealed();
    if (name !== "idle") fireEvent.click(button("Open"));
    if (name === "charged") wait(900);
    expect(phase()).toBe(name);
    fireEvent.click(button("Skip"));
    expect(told()).toEqual(["Waiting for the draw. Then you see the cards."]);
    wait(30_000);
    drawn();
    expect(isGrid()).toBe(true);
    expect(told()).toEqual(whole);
  });

  it("does not happen by the key that is still held from charging", () => {
    sealed().drawn();
    pack().focus();
    press("Enter");
    wait(900);
    expect(button("Skip")).toHaveFocus();
    expect(press("Enter", { repeat: true })).toBe(false); // its click is prevented
    expect(press("Enter")).toBe(true);
  });
});

describe("the grid", () => {
  it("is there at once where the draw was known from the start, and takes no focus", () => {
    render(<Scene pulls={three} />);
    expect(isGrid()).toBe(true);
    expect(told()).toEqual([]);
    expect(document.body).toHaveFocus();
  });

  it("comes after sealed packs where the player has not seen the draw, and says when it is there", () => {
    const shown = vi.fn();
    render(<Scene pulls={three} sealed onShown={shown} />);
    expect(pack()).toBeVisible();
    expect(shown).not.toHaveBeenCalled();
    fireEvent.click(button("Skip"));
    expect(isGrid()).toBe(true);
    expect(shown).toHaveBeenCalledOnce();
  });

  it("shows the rarest first, with rarity, whether it is new, how many there are and what came with it", () => {
    render(<Scene pulls={three} />);
    const cards = screen.getAllByRole("listitem");
    expect(cards.map((card) => within(card).getByRole("heading").textContent)).toEqual(["Crown", "Helm", "Sword"]);
    const [crown, helm] = cards.map((card) => within(card));
    expect(crown?.getByText("mythic")).toBeVisible();
    expect(crown?.getByText("New")).toBeVisible();
    expect(crown?.queryByText(/You have/)).toBeNull();
    expect(helm?.getByText("You have 2")).toBeVisible();
    expect(helm?.getByText("+ 25 fate")).toBeVisible();
    expect(helm?.queryByText("New")).toBeNull();
  });

  it("calls the first of two alike new", () => {
    render(<Scene pulls={[pull("Helm", "rare"), pull("Ring", "rare", { isNew: true, owned: 2 }), pull("Ring", "rare", { owned: 2 })]} />);
    const cards = screen.getAllByRole("listitem").map((card) => within(card));
    expect(cards.map((card) => card.getByRole("heading").textContent)).toEqual(["Ring", "Ring", "Helm"]);
    expect(cards.map((card) => card.queryByText("New") !== null)).toEqual([true, false, false]);
  });

  it("says both of a new card that was drawn twice", () => {
    render(<Scene pulls={[pull("Bow", "rare", { isNew: true, owned: 2 })]} />);
    expect(heading()).toHaveTextContent("Your card");
    expect(screen.getByText("New")).toBeVisible();
    expect(screen.getByText("You have 2")).toBeVisible();
  });

  it("shows the picture of a currency, and not how many such cards the player has", () => {
    render(<Scene pulls={[pull("25 fate", "common", { image: "", currency: "fa", owned: 0 })]} />);
    const card = screen.getByRole("listitem");
    expect(card.querySelector("img")).toBeNull();
    expect(card.querySelector(".opening-picture svg")).toBeInTheDocument();
    expect(card).not.toHaveTextContent("You have");
  });

  it("leads to the inventory, to the proof and, where they can be listed, to the market", () => {
    render(<Scene pulls={three} listHref={({ name }) => `/list/${name}`} />);
    expect(screen.getByRole("link", { name: "Keep all" })).toHaveAttribute("href", "/portal/my-inventory");
    expect(screen.getByRole("link", { name: "Verify this pull: Crown" })).toHaveAttribute("href", "/packs/verify/opening-Crown");
    expect(screen.getByRole("link", { name: "List Crown" })).toHaveAttribute("href", "/list/Crown");
  });

  it("offers no listing without an address for it", () => {
    render(<Scene pulls={three} />);
    expect(screen.queryByRole("link", { name: /^List/ })).toBeNull();
  });

  it("plays again on request", () => {
    render(<Scene pulls={three} />);
    button("Play again").focus();
    fireEvent.click(button("Play again"));
    expect(phase()).toBe("tear");
    expect(button("Skip")).toHaveFocus();
    wait(1700);
    expect(told()).toEqual(["Sword, common"]);
    wait(10_000);
    expect(isGrid()).toBe(true);
    expect(heading()).toHaveFocus();
  });

  it("is left for the next pack, which is sealed", () => {
    const { drawn } = torn();
    wait(10_000);
    fireEvent.click(button("Open another"));
    expect(again).toHaveBeenCalledOnce();
    drawn(null);
    expect(phase()).toBe("idle");
    expect(told()).toEqual([]);
    expect(pack()).toBeVisible();
  });

  it("is closed from here and from the stage", () => {
    const { drawn } = sealed();
    fireEvent.click(button("Close"));
    drawn();
    press("Escape");
    fireEvent.click(button("Close"));
    expect(close).toHaveBeenCalledTimes(2);
  });

  it("of no cards says so", () => {
    render(<Scene pulls={[]} />);
    expect(heading()).toHaveTextContent("Your 0 cards");
  });
});

describe("with reduced motion", () => {
  beforeEach(() => prefers(true));

  it("a press is enough, and there is no canvas", () => {
    const { container } = sealed();
    expect(container.querySelector("canvas")).toBeNull();
    fireEvent.click(button("Open"));
    expect(phase()).toBe("charged");
  });

  it("a page that was rendered on the server, which cannot know, becomes alive without complaint", () => {
    const differs = vi.fn();
    const container = document.body.appendChild(document.createElement("div"));
    prefers(false);
    container.innerHTML = renderToString(<Scene />);
    expect(container.querySelector("canvas")).not.toBeNull();
    prefers(true);
    render(<Scene />, { container, hydrate: true, onRecoverableError: differs });
    expect(container.querySelector("canvas")).toBeNull();
    expect(differs).not.toHaveBeenCalled();
  });

  it("there is no tear, no fan and no leak of light", () => {
    const { drawn } = sealed();
    drawn();
    fireEvent.click(button("Open"));
    const phases = [phase()];
    expect(told()).toEqual(["Sword, common"]);
    for (let i = 0; i < 100 && !isGrid(); i++) {
      wait(50);
      if (phases.at(-1) !== phase()) phases.push(phase());
    }
    expect(phases).toEqual(["flips", "last", "idle"]);
    expect(told()).toEqual(["Sword, common", "Helm, rare", "Crown, mythic"]);
    expect(heading()).toHaveFocus();
  });
});
