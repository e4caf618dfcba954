import { useRef, useState } from "react";
import { Button } from "~/components/ui/button";
import { cn } from "~/lib/cn";
import { canGoOn, fewest, fill, merge, most, nameOf, type Piece } from "../tray";
import { Stone } from "./stone";

const numbers = ["no", "one", "two", "three", "four"];

/** A tray to try the rule, by pointer or keyboard: choose a pebble, then its twin. */
export function Tray() {
  const [count, setCount] = useState(11);
  const [tray, setTray] = useState(() => fill(11));
  const [taken, setTaken] = useState<number>();
  const [said, setSaid] = useState("");
  const stones = useRef(new Map<number, HTMLButtonElement>());
  const merges = count - tray.length;
  const done = !canGoOn(tray);

  function begin(n: number) {
    setCount(n);
    setTray(fill(n));
    setTaken(undefined);
    setSaid(`${n} pebbles on the tray.`);
  }

  function choose(piece: Piece) {
    if (taken === undefined || taken === piece.id) {
      setTaken(taken === undefined ? piece.id : undefined);
      setSaid(taken === undefined ? `${nameOf(piece.level)} taken. Choose another like it.` : "Put back.");
      return;
    }
    const next = merge(tray, taken, piece.id);
    setTaken(undefined);
    if (!next) {
      setSaid(`These two are not alike. You have taken the ${nameOf(piece.level).toLowerCase()} now.`);
      setTaken(piece.id);
      return;
    }
    setTray(next);
    setSaid(
      canGoOn(next)
        ? `Two became one: ${nameOf(piece.level + 1).toLowerCase()}.`
        : `Two became one: ${nameOf(piece.level + 1).toLowerCase()}. ${outcome(count, next)}`,
    );
    stones.current.get(piece.id)?.focus();
  }

  return (
    <div className="border border-line bg-night-1">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-b border-line px-4 py-3 sm:px-6">
        <p className="figures">
          {tray.length} on the tray, {merges} {merges === 1 ? "merge" : "merges"} done
        </p>
        <fieldset className="flex items-center gap-2">
          <legend className="sr-only">How many pebbles to begin with</legend>
          <Button
            kind="quiet"
            size="small"
            aria-label="One fewer to begin with"
            disabled={count <= fewest}
            onClick={() => begin(count - 1)}
          >
            −
          </Button>
          <span className="figures w-20 text-center">{count} pebbles</span>
          <Button kind="quiet" size="small" aria-label="One more to begin with" disabled={count >= most} onClick={() => begin(count + 1)}>
            +
          </Button>
        </fieldset>
      </div>
      <ul aria-label="The tray" className="grid min-h-[17.5rem] grid-cols-4 content-start gap-2 p-4 sm:min-h-[23rem] sm:gap-3 sm:p-6">
        {tray.map((piece) => (
          <li key={piece.id}>
            <button
              type="button"
              ref={(element) => {
                if (element) stones.current.set(piece.id, element);
                else stones.current.delete(piece.id);
              }}
              aria-pressed={taken === piece.id}
              onClick={() => choose(piece)}
              className={cn(
                "grid aspect-square w-full place-items-center rounded border p-1 transition-transform hover:-translate-y-1",
                taken === piece.id ? "-translate-y-1 border-ember bg-night-3" : "border-line bg-night hover:border-bronze",
              )}
            >
              <span className="block w-4/5 sm:w-3/5">
                <Stone level={piece.level} />
              </span>
              <span className="sr-only">{nameOf(piece.level)}</span>
            </button>
          </li>
        ))}
      </ul>
      <div className="flex min-h-28 flex-wrap items-center justify-between gap-4 border-t border-line px-4 py-4 sm:min-h-24 sm:px-6">
        <p aria-hidden="true" className="max-w-md">
          {done ? outcome(count, tray) : taken === undefined ? "Take a stone." : "Now choose its twin."}
        </p>
        <noscript>
          <p className="max-w-md">
            The tray needs scripts. Eleven pebbles on a table do as well: you end with a bell stone, a bead and a pebble.
          </p>
        </noscript>
        <p role="status" className="sr-only">
          {said}
        </p>
        <Button kind="quiet" onClick={() => begin(count)} disabled={merges === 0 && taken === undefined}>
          Begin again
        </Button>
      </div>
    </div>
  );
}

/** What is left when no two pieces match, and why. */
function outcome(count: number, tray: readonly Piece[]): string {
  const left = tray.map((piece) => piece.level).sort((a, b) => b - a);
  const what =
    left.length === 1
      ? `one ${nameOf(left[0] ?? 1).toLowerCase()}`
      : `${numbers[left.length] ?? left.length} pieces, of levels ${left.join(", ").replace(/, (\d+)$/, " and $1")}`;
  return `Nothing fits any more: ${what}. Write ${count} in binary and you get ${count.toString(2)}; the ones are what you see.`;
}
