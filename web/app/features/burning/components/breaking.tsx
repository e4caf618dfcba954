import { useEffect, useRef } from "react";
import { Button } from "~/components/ui/button";
import { cn } from "~/lib/cn";
import { tokenKey } from "~/lib/token";
import type { Item, Origin } from "../burn";
import { pieces, polygon } from "../pieces";

/** How long the scene takes, in milliseconds; and with reduced motion. */
export const sceneTime = { full: 2_300, reduced: 900 };

/** When it breaks, as a part of the scene. */
const crack = 0.34;

/** The most pictures that are shown breaking, and their sizes by how many there are. */
const most = 3;
const sizes = ["w-[min(24rem,64vw)]", "w-[min(20rem,40vw)]", "w-[min(18rem,27vw)]"];

const prefersReduced = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

const easing = "cubic-bezier(0.15, 0.7, 0.3, 1)";

/** Trembles more and more until it breaks. */
function tremble(element: Element): void {
  const frames = Array.from({ length: 13 }, (_, i) => ({
    transform: `translate(${(i % 2 ? 1 : -1) * i * 0.09}%, 0) rotate(${(i % 2 ? 1 : -1) * i * 0.22}deg)`,
  }));
  element.animate([{ transform: "none" }, ...frames], { duration: sceneTime.full * crack, easing: "linear" });
}

/** Starts the motion of the scene. */
function animate(scene: Element, origin: Origin): void {
  const [breaks, rest] = [sceneTime.full * crack, sceneTime.full * (1 - crack)];
  for (const picture of scene.querySelectorAll("[data-picture]")) {
    tremble(picture);
    picture.querySelectorAll("[data-piece]").forEach((piece, index) => {
      const { x = 0, y = 0, turn = 0 } = pieces[origin][index] ?? {};
      const clipPath = (piece as HTMLElement).style.clipPath;
      piece.animate(
        [
          { clipPath, transform: "none", opacity: 1 },
          { clipPath, transform: `translate(${x * 0.8}%, ${y * 0.6}%) rotate(${turn * 0.7}deg)`, opacity: 1, offset: 0.45 },
          { clipPath, transform: `translate(${x * 1.15}%, ${y + 55}%) rotate(${turn * 1.6}deg)`, opacity: 0 },
        ],
        { duration: rest, delay: breaks, easing, fill: "both" },
      );
    });
    picture.querySelectorAll("[data-spark]").forEach((spark, index) => {
      const angle = index * 2.399; // the golden angle: evenly spread for any number
      const far = 5 + 2 * ((index * 7) % 5); // in rem
      spark.animate(
        [
          { transform: "scale(0.4)", opacity: 0 },
          { transform: `translate(${Math.cos(angle) * far}rem, ${Math.sin(angle) * far - 3}rem)`, opacity: 1, offset: 0.3 },
          { transform: `translate(${Math.cos(angle) * far * 1.6}rem, ${Math.sin(angle) * far * 1.2 + 12}rem) scale(0.8)`, opacity: 0 },
        ],
        { duration: rest, delay: breaks + (index % 4) * 45, easing: "cubic-bezier(0.2, 0.6, 0.5, 1)", fill: "both" },
      );
    });
  }
  scene.querySelector("[data-light]")?.animate(
    [
      { transform: "scale(0.5)", opacity: 0 },
      { transform: "scale(0.7)", opacity: 0.35, offset: crack * 0.98 },
      { transform: "scale(1.15)", opacity: 1, offset: crack + 0.06 },
      { transform: "scale(1.5)", opacity: 0.25 },
    ],
    { duration: sceneTime.full, easing: "linear", fill: "both" },
  );
}

interface BreakingProps {
  origin: Origin;
  items: Item[];
  /** Whether it is shown in gold. */
  vip: boolean;
  /** Called once, at the end or when it is skipped. */
  onDone: () => void;
}

/** A short scene: what was burned falls apart. It has no sound. With reduced motion nothing moves. */
export function Breaking({ origin, items, vip, onDone }: BreakingProps) {
  const scene = useRef<HTMLDivElement>(null);
  const done = useRef(onDone);
  done.current = onDone;
  useEffect(() => {
    const reduced = prefersReduced();
    if (!reduced && scene.current) animate(scene.current, origin);
    const timer = setTimeout(() => done.current(), reduced ? sceneTime.reduced : sceneTime.full);
    return () => clearTimeout(timer);
  }, [origin]);
  const colour = vip || origin === "power-pack" ? "var(--color-rarity-legendary)" : "var(--color-bronze)";
  return (
    // Up to the edges of a phone.
    <div ref={scene} className="relative isolate -mx-4 overflow-clip sm:-mx-8">
      <div className="pointer-events-none flex min-h-[min(34rem,62svh)] items-center justify-center gap-4 sm:gap-10" aria-hidden="true">
        <span
          data-light
          // As high as the scene at its brightest, so that no edge cuts it off.
          className="absolute left-1/2 top-1/2 -z-10 h-[86%] w-[min(56rem,130vw)] -translate-x-1/2 -translate-y-1/2"
          style={{ background: `radial-gradient(closest-side, color-mix(in oklab, ${colour} 55%, transparent), transparent)` }}
        />
        {items.slice(0, most).map((item) => (
          <span
            key={tokenKey(item)}
            data-picture
            className={cn("relative block aspect-[600/640]", sizes[Math.min(items.length, most) - 1])}
          >
            {pieces[origin].map((piece) => (
              <span key={polygon(piece)} data-piece className="absolute inset-0" style={{ clipPath: polygon(piece) }}>
                <img src={item.image} alt="" width={600} height={800} className="h-full w-full object-cover object-top" />
              </span>
            ))}
            {Array.from({ length: vip ? 22 : 14 }, (_, index) => (
              <span
                // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
                key={index}
                data-spark
                className={cn(
                  "absolute left-1/2 top-1/2 opacity-0",
                  origin === "piggy-bank" ? "size-7 rounded-full border-2" : "h-9 w-1.5 rotate-12",
                )}
                style={
                  origin === "piggy-bank"
                    ? { borderColor: colour, background: `color-mix(in oklab, ${colour} 45%, var(--color-night))` }
                    : { background: colour }
                }
              />
            ))}
          </span>
        ))}
      </div>
      <div className="flex justify-center pb-2 pt-4">
        <Button kind="quiet" size="small" onClick={() => done.current()}>
          Skip
        </Button>
      </div>
    </div>
  );
}
