import { gods, idOf, type Place, places, reachOf } from "#brand/content/games/world";
import { useIdle } from "~/components/site/use-idle";
import { cn } from "~/lib/cn";
import land from "~art/scene-land.svg";
import sky from "~art/scene-sky.svg";

/** The two hemispheres of the atlas. */
export default function Charts() {
  return (
    <div className="mx-auto grid max-w-[108rem] grid-cols-1 gap-4 px-2 pb-14 pt-8 sm:px-6 lg:grid-cols-2 lg:gap-0 lg:pb-20">
      <Land />
      <Sky />
    </div>
  );
}

const labels = {
  left: { dx: -15, dy: 8, anchor: "end" },
  right: { dx: 15, dy: 8, anchor: "start" },
  above: { dx: 0, dy: -17, anchor: "middle" },
  below: { dx: 0, dy: 34, anchor: "middle" },
} as const;

/** The lands. Wide screens show names; on narrow ones each mark has its number in the list. */
function Land() {
  return (
    <figure className="relative mx-auto w-full max-w-[52rem]">
      <img src={land} alt="" width={1000} height={1000} fetchPriority="high" className="w-full" />
      <nav aria-label="Places on the chart of the lands">
        <svg role="presentation" viewBox="0 0 1000 1000" className="absolute inset-0 w-full">
          {places.map((place, i) => (
            <Mark key={place.name} place={place} number={i + 1} />
          ))}
        </svg>
      </nav>
      <svg viewBox="0 0 1000 1000" aria-hidden="true" className="pointer-events-none absolute inset-0 w-full">
        <g className="font-display fill-bone max-sm:hidden [paint-order:stroke] stroke-night stroke-5 uppercase" textAnchor="middle">
          <text x="508" y="540" fontSize="26" letterSpacing="4" opacity="0.75">
            The Inner Sea
          </text>
          <text x="500" y="268" fontSize="30" letterSpacing="3">
            Olympus
          </text>
        </g>
      </svg>
      <figcaption className="sr-only">
        In the north stands Mount Olympus with the house of the gods. Roads lead from it to Old Harbour on the west shore of the Inner Sea,
        and to the Long Wall, which closes the lands in the east. Islands lie in the south.
      </figcaption>
    </figure>
  );
}

function Mark({ place, number }: { place: Place; number: number }) {
  const { dx, dy, anchor } = labels[place.side];
  return (
    <a href={`#${idOf(place.name)}`} aria-label={place.name} className="group outline-offset-2">
      <circle cx={place.x} cy={place.y} r="22" className="fill-transparent max-sm:hidden" />
      <circle cx={place.x} cy={place.y} r={reachOf(place)} className="fill-transparent sm:hidden" />
      <rect
        x={place.x - 6.5}
        y={place.y - 6.5}
        width="13"
        height="13"
        transform={`rotate(45 ${place.x} ${place.y})`}
        className="fill-night stroke-bone stroke-3 group-hover:fill-ember group-focus-visible:fill-ember max-sm:hidden"
      />
      <text
        x={place.x + dx}
        y={place.y + dy}
        textAnchor={anchor}
        fontSize="27"
        className={
          "font-display fill-bone stroke-night stroke-5 uppercase tracking-wide [paint-order:stroke] " +
          "group-hover:fill-ember-bright max-sm:hidden"
        }
      >
        {place.name}
      </text>
      <circle cx={place.x} cy={place.y} r="32" className="fill-night stroke-bone stroke-2 sm:hidden" />
      <text x={place.x} y={place.y + 13} textAnchor="middle" fontSize="38" className="fill-bone font-bold sm:hidden">
        {number}
      </text>
    </a>
  );
}

/** The sky: the signs of the twelve, with names. The outermost ring rotates once the page is idle. */
function Sky() {
  const idle = useIdle();
  return (
    <figure className="relative mx-auto w-full max-w-[52rem]">
      <img src={sky} alt="" width={1000} height={1000} className="w-full" />
      <svg
        viewBox="0 0 1000 1000"
        aria-hidden="true"
        className={cn("absolute inset-0 w-full", idle && "[animation:spin_480s_linear_infinite]")}
      >
        <circle cx="500" cy="500" r="484" fill="none" stroke="var(--color-bronze)" strokeWidth="12" strokeDasharray="2 10.67" />
      </svg>
      <nav aria-label="Gods on the chart of the sky">
        <svg role="presentation" viewBox="0 0 1000 1000" className="absolute inset-0 w-full">
          {gods.map((god, i) => {
            const a = -Math.PI / 2 + (i * Math.PI) / 6;
            const x = Math.round(500 + 312 * Math.cos(a));
            const y = Math.round(500 + 312 * Math.sin(a));
            return (
              <a key={god.name} href={`#${idOf(god.name)}`} className="group">
                <circle cx={x} cy={y - 12} r="66" className="fill-transparent" />
                <text
                  x={x}
                  y={y + 64}
                  textAnchor="middle"
                  className={
                    "font-display fill-bone stroke-night stroke-5 text-[34px] uppercase tracking-wide [paint-order:stroke] " +
                    "group-hover:fill-ember-bright sm:text-[27px]"
                  }
                >
                  {god.name}
                </text>
              </a>
            );
          })}
        </svg>
      </nav>
      <figcaption className="sr-only">
        In the middle stands the house of the gods. Around it are twelve signs in a ring, from Helikara at the top clockwise to Morvaion;
        the rim has 120 marks.
      </figcaption>
    </figure>
  );
}
