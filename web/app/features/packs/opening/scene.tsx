import {
  type KeyboardEvent,
  type ReactNode,
  startTransition,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { Button } from "~/components/ui/button";
import { CloseIcon } from "~/components/ui/icon";
import { RarityBadge } from "~/components/ui/rarity";
import { cn } from "~/lib/cn";
import { isFocusLost } from "~/lib/focus-lost";
import { BackSymbol, StageCard, type Where } from "./card";
import { cardLayout } from "./card-layout";
import { PackPiece } from "./pack-art";
import type { Given, Pack, Pull } from "./pull";
import { Results } from "./results";
import { chargeTime, schedule, stepAt } from "./schedule";
import { useLight } from "./use-light";

export type { Pack, Pull } from "./pull";

export interface OpeningSceneProps {
  pack: Pack;
  /** How many packs are opened. */
  count: number;
  /** What was drawn; null until it is. */
  pulls: Pull[] | null;
  /** Whether the packs begin sealed although there are pulls, because the player has not seen these. */
  sealed?: boolean;
  /** Called when the cards are shown, at the latest by skipping. */
  onShown?: (() => void) | undefined;
  /** Where the pulls are. */
  given?: Given;
  /** What is shown while the draw is waited for. */
  status?: ReactNode;
  onClose: () => void;
  onAgain?: (() => void) | undefined;
  /** The text of the button for `onAgain`. */
  againText?: string | undefined;
  verifyHref: (pull: Pull) => string;
  listHref?: ((pull: Pull) => string) | undefined;
  /** The inventory. */
  keepHref: string;
  /** Its height; by default that of the window. */
  className?: string;
}

/**
 * Where the scene is. A pack is charged by being held or by a press of "Open". "skipped": the grid follows as soon as
 * there are pulls. `since` is when the tear began. `by` says how the grid was reached: at the end of the sequence, by
 * skipping, or because the pulls were there from the start.
 */
type Part =
  | { name: "idle" | "charged" | "skipped" }
  | { name: "charging"; held: boolean }
  | { name: "playing"; since: number }
  | { name: "grid"; by: "end" | "skip" | "start" };

const never = () => () => {};
const prefersReduced = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

const say = ({ name, rarity }: Pull) => `${name}, ${rarity}`;

/**
 * The opening of packs, from the sealed pack to the cards. It plays what the server has drawn. With pulls at the start
 * it shows them at once, since they were seen before, unless it is told otherwise.
 */
export function OpeningScene({
  pack,
  count,
  pulls,
  sealed = false,
  onShown,
  given = "all",
  status,
  onClose,
  onAgain,
  againText,
  verifyHref,
  listHref,
  keepHref,
  className = "min-h-[max(30rem,calc(100svh-4rem))]",
}: OpeningSceneProps) {
  const id = useId();
  const [part, setPart] = useState<Part>(pulls && !sealed ? { name: "grid", by: "start" } : { name: "idle" });
  const [elapsed, setElapsed] = useState(0);
  const [short, setShort] = useState(false);
  const reduced = useSyncExternalStore(never, prefersReduced, () => false);
  const section = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const skipButton = useRef<HTMLButtonElement>(null);
  const stage = useRef<HTMLDivElement>(null);
  const layer = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState({ width: 960, height: 560, pack: 240 });

  const plan = useMemo(() => schedule(pulls ?? [], reduced), [pulls, reduced]);
  const drawn = useMemo(() => plan.order.flatMap((index) => pulls?.[index] ?? []), [plan, pulls]);
  const cards = useMemo(() => cardLayout(drawn.length, room), [drawn.length, room]);
  const { step, next } = stepAt(plan, elapsed);
  const playing = part.name === "playing";
  const shown = playing ? step.shown : 0;

  // The next opening, in the same place.
  if (!pulls && (playing || part.name === "grid")) setPart({ name: "idle" });
  if (pulls && part.name === "charged") play();
  if (pulls && part.name === "skipped") setPart({ name: "grid", by: "skip" });
  if (playing && step.phase === "grid") setPart({ name: "grid", by: "end" });

  function play() {
    setElapsed(0);
    setPart({ name: "playing", since: performance.now() });
  }

  function charge(held: boolean) {
    if (part.name !== "idle") return;
    setShort(false);
    setPart(reduced ? { name: "charged" } : { name: "charging", held });
  }

  function letGo() {
    if (part.name !== "charging" || !part.held) return;
    setShort(true);
    setPart({ name: "idle" });
  }

  function skip() {
    if (part.name !== "grid") startTransition(() => setPart(pulls ? { name: "grid", by: "skip" } : { name: "skipped" }));
  }

  const charging = part.name === "charging";
  useEffect(() => {
    if (!charging) return;
    const timer = setTimeout(() => setPart({ name: "charged" }), chargeTime);
    return () => clearTimeout(timer);
  }, [charging]);

  const since = playing ? part.since : undefined;
  useEffect(() => {
    if (since === undefined || next === undefined) return;
    // A timer may be early by a fraction of a millisecond.
    const passed = () => performance.now() - since;
    // As a transition, which React renders in slices: the grid of many cards takes long.
    const timer = setTimeout(() => startTransition(() => setElapsed(Math.max(next, passed()))), Math.max(0, next - passed()));
    return () => clearTimeout(timer);
  }, [since, next]);

  // Pictures are there before their cards are turned.
  const loaded = useRef<HTMLImageElement[]>([]);
  useEffect(() => {
    loaded.current = (pulls ?? []).flatMap(({ image }) => (image ? Object.assign(new Image(), { src: image }) : []));
  }, [pulls]);

  const grid = part.name === "grid";
  useLayoutEffect(() => {
    if (grid) return;
    const measure = () => {
      const { clientWidth: width = 0, clientHeight: height = 0 } = stage.current ?? {};
      const own = stage.current?.querySelector(".opening-pack")?.clientWidth;
      if (width && height) setRoom((before) => ({ width, height, pack: own || before.pack }));
    };
    measure();
    addEventListener("resize", measure);
    return () => removeEventListener("resize", measure);
  }, [grid]);

  const latestShown = useRef(onShown);
  latestShown.current = onShown;
  useEffect(() => {
    if (grid) latestShown.current?.();
  }, [grid]);

  const latestSkip = useRef(skip);
  latestSkip.current = skip;
  useEffect(() => {
    if (grid) return;
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key === "Escape" && !event.defaultPrevented) latestSkip.current();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [grid]);

  // Moves the focus if the focused control was removed; focus outside the scene is kept.
  const by = grid ? part.by : undefined;
  useLayoutEffect(() => {
    if (!isFocusLost() && !section.current?.contains(document.activeElement)) return;
    if (playing) skipButton.current?.focus({ preventScroll: true });
    else if (by === "end" || by === "skip") heading.current?.focus();
  }, [playing, by]);

  const phase = playing ? step.phase : part.name === "charging" || part.name === "charged" ? part.name : "idle";
  useLight(layer, !reduced && !grid, {
    phase,
    latest: drawn[shown - 1],
    index: shown - 1,
    rarest: drawn.at(-1),
    table: cards,
  });

  const title = count > 1 ? `Open ${count} × ${pack.name}` : `Open ${pack.name}`;
  const n = drawn.length;
  return (
    <section
      ref={section}
      aria-labelledby={id}
      data-phase={phase}
      className={cn("opening relative grid grid-cols-[minmax(0,1fr)] content-stretch", className)}
    >
      {part.name === "grid" ? (
        <Results
          {...{ id, heading, pack, count, given, keepHref, verifyHref, listHref, onAgain, againText, onClose }}
          pulls={drawn.toReversed()}
          onPlay={play}
        />
      ) : (
        <div className="grid grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(16rem,1fr)_auto]">
          <header className="relative z-10 flex items-start justify-between gap-4 px-4 pt-4 sm:px-8 sm:pt-6">
            <h2 id={id} className="display text-2xl sm:text-3xl">
              {title}
            </h2>
            <button
              type="button"
              aria-label="Close"
              onClick={onClose}
              className="-mr-2 -mt-1.5 grid size-11 shrink-0 place-items-center rounded hover:bg-night-3"
            >
              <CloseIcon />
            </button>
          </header>
          <div ref={stage} className="opening-stage" data-leaving={phase === "gather" || undefined}>
            {(!playing || phase === "tear") && (
              <Sealed
                pack={pack}
                count={count}
                busy={part.name !== "idle"}
                onHold={() => charge(true)}
                onLetGo={letGo}
                onPress={() => charge(false)}
              />
            )}
            {!reduced && (
              <div ref={layer} aria-hidden="true" className="pointer-events-none absolute inset-x-0 -inset-y-56">
                <canvas className="absolute inset-0 size-full" />
                <canvas width={1} height={1} className="opening-rays" />
                <canvas width={1} height={1} className="opening-rays" />
              </div>
            )}
            {playing && (
              <div aria-hidden="true">
                <BackSymbol id={`${id}back`} />
                {drawn.map((pull, i) => {
                  // The last one is drawn at the size that it grows to, so that it is sharp then.
                  const larger = i === n - 1 ? cards.grows : 1;
                  const width = cards.width * larger;
                  return (
                    <StageCard
                      // biome-ignore lint/suspicious/noArrayIndexKey: a pack may hold the same card twice
                      key={i}
                      {...{ pull, index: i, where: whereOf(i, n, phase), up: i < shown, width }}
                      // Not all at once: a drawing takes some milliseconds.
                      faced={i < shown + 2}
                      back={`${id}back`}
                      place={cards.places[i] ?? { x: 0, y: 0, turn: 0 }}
                      onTable={1 / larger}
                      inPack={(room.pack * 0.8) / width}
                    />
                  );
                })}
              </div>
            )}
            {phase === "tear" && <div className="opening-flash" />}
          </div>
          <footer className="relative z-10 grid content-start justify-items-center gap-3 px-4 pb-6 pt-1 text-center sm:px-8">
            <div className="grid h-26 w-full content-center gap-1 overflow-hidden sm:h-22">
              {playing ? (
                <Caption key={shown} pull={phase === "leak" ? undefined : drawn[shown - 1]} />
              ) : (
                <Prompt part={part} short={short} drawn={pulls !== null} status={status} />
              )}
            </div>
            <div className="grid w-full grid-cols-[1fr_auto_1fr] items-center">
              <Button
                size="large"
                className={cn("col-start-2", part.name !== "idle" && "invisible")}
                disabled={part.name !== "idle"}
                onClick={() => {
                  skipButton.current?.focus({ preventScroll: true }); // this one goes
                  charge(false);
                }}
              >
                Open
              </Button>
              <Button
                ref={skipButton}
                kind="quiet"
                className={cn("col-start-3 justify-self-end", part.name === "skipped" && "invisible")}
                onClick={skip}
                // A key that is still held from charging does not skip.
                onKeyDown={(event) => event.repeat && event.preventDefault()}
              >
                Skip
              </Button>
            </div>
          </footer>
        </div>
      )}
      <div aria-live="polite" aria-relevant="additions" className="sr-only">
        {part.name === "charged" && <p>Waiting for the draw.</p>}
        {part.name === "skipped" && <p>Waiting for the draw. Then you see the cards.</p>}
        {part.name === "idle" && short && <p>Hold it a little longer, or press Open.</p>}
        {(playing || by === "end") &&
          drawn.slice(0, playing ? shown : n).map((pull, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a pack may hold the same card twice
            <p key={i}>{say(pull)}</p>
          ))}
        {by === "skip" && <p key="all">{drawn.toReversed().map(say).join("; ")}</p>}
      </div>
    </section>
  );
}

function whereOf(index: number, n: number, phase: string): Where {
  if (phase === "tear") return "pack";
  if (phase === "fan" || phase === "flips") return "table";
  return index === n - 1 ? "front" : "behind";
}

interface SealedProps {
  pack: Pack;
  count: number;
  busy: boolean;
  onHold: () => void;
  onLetGo: () => void;
  onPress: () => void;
}

/** The sealed pack, which is held to open it. */
function Sealed({ pack, count, busy, onHold, onLetGo, onPress }: SealedProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== " " && event.key !== "Enter") return;
    event.preventDefault(); // no click
    if (!event.repeat) onHold();
  };
  const onKeyUp = (event: KeyboardEvent) => {
    if (event.key !== " " && event.key !== "Enter") return;
    event.preventDefault();
    onLetGo();
  };
  return (
    <>
      <svg viewBox="0 0 200 200" fill="none" stroke="currentColor" className="opening-ring" aria-hidden="true">
        <circle cx="100" cy="100" r="97" strokeOpacity="0.5" strokeWidth="0.6" />
        <circle cx="100" cy="100" r="92" strokeWidth="3" strokeDasharray="0.5 3.514" />
        <circle cx="100" cy="100" r="87" strokeOpacity="0.5" strokeWidth="0.6" />
        <circle
          cx="100"
          cy="100"
          r="92"
          pathLength="100"
          transform="rotate(-90 100 100)"
          stroke="var(--color-ember)"
          strokeWidth="3"
          className="opening-charge"
        />
      </svg>
      <button
        type="button"
        aria-label={`Hold to open ${pack.name}`}
        className="opening-pack cursor-pointer"
        aria-disabled={busy}
        onPointerDown={(event) => {
          if (event.button === 0) onHold();
        }}
        onPointerUp={onLetGo}
        onPointerCancel={onLetGo}
        onPointerLeave={onLetGo}
        onBlur={onLetGo}
        onKeyDown={onKeyDown}
        onKeyUp={onKeyUp}
        onContextMenu={(event) => event.preventDefault()}
        // A click without a pointer, as of a screen reader, cannot hold.
        onClick={(event) => {
          if (event.detail === 0) onPress();
        }}
      >
        <span className="opening-halo" />
        <span className="opening-float">
          {Array.from({ length: Math.min(2, count - 1) }, (_, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two alike
            <span key={i} className="opening-spare absolute inset-0">
              <PackPiece pack={pack} piece="body" />
              <PackPiece pack={pack} piece="strip" />
            </span>
          ))}
          <span className="opening-shake absolute inset-0">
            <span className="opening-body">
              <PackPiece pack={pack} piece="body" />
            </span>
            <span className="opening-strip">
              <PackPiece pack={pack} piece="strip" />
            </span>
            <span className="opening-sheen" />
            <span className="opening-seam" />
            {count > 1 && (
              <span
                className={
                  "opening-count display figures absolute -right-3 -top-2 rounded-sm bg-bone px-2 pb-1 pt-1.5 text-2xl " + "text-ember-ink"
                }
              >
                ×{count}
              </span>
            )}
          </span>
        </span>
      </button>
    </>
  );
}

/** What to do, or what is waited for. */
function Prompt({ part, short, drawn, status }: { part: Part; short: boolean; drawn: boolean; status: ReactNode }) {
  return (
    <>
      <p className="text-lg">
        {part.name === "idle" && (short ? "Hold it a little longer, or press Open." : "Hold the pack until the ring is full.")}
        {part.name === "charging" && (part.held ? "Keep holding." : "Opening.")}
        {part.name === "charged" && "Waiting for the draw."}
        {part.name === "skipped" && "Waiting for the draw. Then you see the cards."}
      </p>
      {!drawn && <div className="figures min-h-[1lh] text-sm text-bone-muted">{status}</div>}
    </>
  );
}

/** The card that was turned last, in words. */
function Caption({ pull }: { pull: Pull | undefined }) {
  if (!pull) return null;
  return (
    <div className="opening-caption" aria-hidden="true">
      <RarityBadge rarity={pull.rarity} />
      <p className="display mt-1 text-3xl">{pull.name}</p>
    </div>
  );
}
