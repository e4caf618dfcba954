import { checkReceipt, openingOf, type Verified } from "../../verify";
import { oneIn, percent } from "../chance";
import { type Fact, headOf, type Step, stepsOf, unprovenOf, verdicts } from "../steps";

/** What a kept page has in it. */
export interface Kept {
  /** The receipt's text; "" for none. */
  receipt: string;
  /** The address from which the page was kept; "" if it was not. */
  from: string;
}

type Child = Node | string;

/** An element with a class and children. */
function make<T extends keyof HTMLElementTagNameMap>(tag: T, look: string, ...children: Child[]): HTMLElementTagNameMap[T] {
  const element = document.createElement(tag);
  if (look) element.className = look;
  element.append(...children);
  return element;
}

const factLine = ({ name, value, code }: Fact): Child[] => [make("dt", "", name), make("dd", "", code ? make("code", "", value) : value)];

const stepLine = ({ title, text, warning, facts }: Step) =>
  make(
    "li",
    "",
    make("h3", "", title),
    make("p", "", text),
    ...(warning ? [make("p", "warning", warning)] : []),
    make("dl", "", ...facts.flatMap(factLine)),
  );

function column(text: string, look = "") {
  const head = make("th", look, text);
  head.scope = "col";
  return head;
}

/** A row of a table: its heading and its cells. */
function row(look: string, name: string, ...cells: [look: string, text: string][]) {
  const head = make("th", "", name);
  head.scope = "row";
  return make("tr", look, head, ...cells.map(([look, text]) => make("td", look, text)));
}

const chance = (share: number): [string, string] => ["number", `${percent(share)}, ${oneIn(share)}`];

function dropTable({ table, drop }: Verified) {
  const rows = table.drops.map(({ id, name, rarity, weight }) =>
    row(id === drop.id ? "drawn" : "", id === drop.id ? `${name} (drawn)` : name, ["", rarity], chance(weight / table.total)),
  );
  const caption = make("caption", "", `The table of the receipt: ${table.kind}, edition ${table.edition}`);
  const heads = [column("Drop"), column("Rarity"), column("Chance", "number")];
  return make("table", "", caption, make("thead", "", make("tr", "", ...heads)), make("tbody", "", ...rows));
}

/** The tokens among which the second draws chose. */
function variantTables({ drop, course }: Verified) {
  const parts = drop.gives.flatMap(({ variants, total = 0 }) => (variants ? [{ variants, total }] : []));
  return parts.map(({ variants, total }, index) => {
    const drawn = course.tokens[index]?.picked.id;
    const rows = variants.map(({ id, name, rarity, weight }) =>
      row(id === drawn ? "drawn" : "", id === drawn ? `${name} (drawn)` : name, ["", rarity], chance(weight / total)),
    );
    const caption = make("caption", "", parts.length > 1 ? `The second draws: token ${index + 1} of ${parts.length}` : "The second draw");
    const heads = [column("What it is"), column("Rarity"), column("Chance", "number")];
    return make("table", "", caption, make("thead", "", make("tr", "", ...heads)), make("tbody", "", ...rows));
  });
}

function whatIsRight(verified: Verified, from: string): Child[] {
  const steps = stepsOf(verified);
  const { name, rarity, of } = headOf(verified);
  const { receipt, table } = verified;
  const site = /^https?:/.test(from) ? new URL(from).origin : "";
  return [
    make("p", "muted", `A pack of the kind “${table.kind}”, edition ${table.edition}, was opened, and it held`),
    make("h1", "", name),
    make("p", "muted", `Rarity: ${rarity}`),
    ...(of ? [make("p", "muted", `${of}, and a second draw said which.`)] : []),
    make("p", "verdict good", make("strong", "", verdicts.right)),
    ...steps.flatMap(({ warning }) => (warning ? [make("p", "warning", warning)] : [])),
    make("h2", "", "How it was drawn"),
    make("ol", "steps", ...steps.map(stepLine)),
    make("h2", "", "What could be drawn"),
    dropTable(verified),
    ...variantTables(verified),
    make("h2", "", "What a receipt cannot prove by itself"),
    make(
      "ul",
      "",
      ...unprovenOf(verified, openingOf(receipt), site).map(({ claim, check }) => make("li", "", claim, make("p", "muted", check))),
    ),
  ];
}

const whatIsWrong = (reason: string): Child[] => [
  make("h1", "", "A pack's opening"),
  make("p", "verdict bad", make("strong", "", verdicts.wrong)),
  make("p", "", reason),
];

const nothing = (): Child[] => [
  make("h1", "", "A pack's opening"),
  make("p", "", "Put in the receipt of an opening: this page repeats its draw."),
];

/** Lets another receipt be pasted, chosen or dropped. */
function other(show: (receipt: string) => void) {
  const text = make("textarea", "");
  text.id = "other-text";
  text.spellcheck = false;
  const textLabel = make("label", "", "Paste a receipt");
  textLabel.htmlFor = text.id;
  const file = make("input", "");
  file.id = "other-file";
  file.type = "file";
  file.accept = ".json,application/json";
  const fileLabel = make("label", "", "Or choose its file, or drop it here");
  fileLabel.htmlFor = file.id;
  const button = make("button", "", "Check this receipt");
  button.type = "button";
  button.addEventListener("click", () => show(text.value));
  const read = (files: FileList | null | undefined) => files?.[0]?.text().then(show);
  file.addEventListener("change", () => void read(file.files));
  const box = make("section", "other", make("h2", "", "Check another receipt"), textLabel, text, make("p", "", button), fileLabel, file);
  for (const [event, over] of Object.entries({ dragover: true, dragleave: false, drop: false })) {
    box.addEventListener(event, (happened) => {
      happened.preventDefault();
      box.classList.toggle("over", over);
      if (happened instanceof DragEvent && event === "drop") void read(happened.dataTransfer?.files);
    });
  }
  return box;
}

/** Fills the page, and repeats the draw of its receipt. */
export function view(main: HTMLElement, { receipt, from }: Kept): void {
  const result = make("div", "");
  const show = (text: string) => {
    // A file may end with a line break; the receipt itself does not.
    const finding = text.trim() ? checkReceipt(text.trim()) : undefined;
    result.replaceChildren(...(!finding ? nothing() : finding.right ? whatIsRight(finding, from) : whatIsWrong(finding.reason)));
    const name = finding?.right ? headOf(finding).name : "A pack's opening";
    document.title = `${name}: an opening that checks itself`;
    if (text.trim())
      result.append(
        make("details", "", make("summary", "", "The receipt as it was written"), make("p", "", make("code", "", text.trim()))),
      );
  };
  const live = make("p", "muted", "");
  live.setAttribute("role", "status");
  const again = (text: string) => {
    show(text);
    live.textContent = result.querySelector(".verdict")?.textContent ?? "";
    const heading = result.querySelector("h1");
    if (heading) heading.tabIndex = -1;
    heading?.focus();
  };
  const about = make("p", "muted", "This page loads nothing from anywhere, and works without the site that made it.");
  if (/^https?:/.test(from)) {
    const link = make("a", "", from);
    link.href = from;
    link.rel = "noreferrer";
    about.append(" It was kept from ", link, ".");
  }
  main.replaceChildren(result, other(again), live, about);
  show(receipt);
}
