import { pageMeta } from "~/components/site/page-meta";
import { Prose } from "~/components/site/prose";
import { Section } from "~/components/site/section";
import { useIdle } from "~/components/site/use-idle";
import { ButtonLink } from "~/components/ui/button";
import Text, { page } from "~/content/games/universe.mdx";
import { gods, type Place, places } from "~/content/games/world";
import { cn } from "~/lib/cn";
import { paths } from "~/lib/paths";
import land from "~art/scene-land.svg";
import sky from "~art/scene-sky.svg";

export const meta = () => pageMeta(page.title, page.description);

const idOf = (name: string) => name.toLowerCase().replaceAll(" ", "-");

/** The universe: an atlas of two hemispheres, with what is told of each place and of each god. */
export default function Universe() {
  return (
    <>
      <header className="relative overflow-hidden border-b border-line">
        <div className="scale-y absolute inset-y-0 left-0 hidden w-2.5 sm:block" />
        <div className="mx-auto grid max-w-[100rem] grid-cols-1 gap-x-16 gap-y-6 px-4 pt-10 sm:px-8 lg:grid-cols-[1.65fr_1fr] lg:items-end lg:pt-14">
          <h1 className="display text-hero max-w-[14ch] lg:whitespace-nowrap">{page.heading}</h1>
          <p className="max-w-[30rem] text-lg lg:pb-2">{page.lead}</p>
        </div>
        <div className="mx-auto grid max-w-[108rem] grid-cols-1 gap-4 px-2 pb-14 pt-8 sm:px-6 lg:grid-cols-2 lg:gap-0 lg:pb-20">
          <Land />
          <Sky />
        </div>
      </header>
      <Section heading="Twenty places" text="As they lie on the chart of the lands." beside>
        <ol className="grid gap-x-10 sm:grid-cols-2 xl:grid-cols-3">
          {places.map((place, i) => (
            <li key={place.name} id={idOf(place.name)} className="grid grid-cols-[2.25rem_1fr] border-t border-line py-4 target:border-ember">
              <span className="figures pt-0.5 text-bronze" aria-hidden="true">
                {i + 1}
              </span>
              <div>
                <h3 className="display text-2xl">{place.name}</h3>
                <p className="mt-1 text-bone-muted">{place.text}</p>
              </div>
            </li>
          ))}
        </ol>
      </Section>
      <div className="mx-auto max-w-[100rem] px-4 pt-24 sm:px-8 lg:pt-36">
        <Prose className="lg:ml-[25%]">
          <Text />
        </Prose>
      </div>
      <Section heading="Twelve gods, and what is done about them" className="[&_h2]:max-w-[18ch]">
        <ul className="grid gap-x-10 sm:grid-cols-2 lg:grid-cols-3 lg:[&>li:nth-child(3n)]:translate-y-24 lg:[&>li:nth-child(3n+2)]:translate-y-12">
          {gods.map((god) => (
            <li key={god.name} id={idOf(god.name)} className="border-t border-bronze-dim py-6 target:border-ember">
              <p className="caption text-bronze">{god.domain}</p>
              <h3 className="display mt-2 text-4xl">{god.name}</h3>
              <p className="text-bone-muted">{god.title}</p>
              <p className="mt-3 max-w-sm text-lg">{god.custom}</p>
            </li>
          ))}
        </ul>
        <p className="lg:pt-24">
          <ButtonLink to={paths.elderGods} kind="quiet">
            Their faces
          </ButtonLink>
        </p>
      </Section>
    </>
  );
}

const labels = {
  left: { dx: -15, dy: 8, anchor: "end" },
  right: { dx: 15, dy: 8, anchor: "start" },
  above: { dx: 0, dy: -17, anchor: "middle" },
  below: { dx: 0, dy: 34, anchor: "middle" },
} as const;

/** The lands. Wide screens show names; on narrow ones each mark has the number that it has in the list. */
function Land() {
  return (
    <figure className="relative mx-auto w-full max-w-[52rem]">
      <img src={land} alt="" width={1000} height={1000} fetchPriority="high" className="w-full" />
      <nav aria-label="Places on the chart of the lands">
        {/* biome-ignore lint/a11y/noSvgWithoutTitle: the navigation around it has the name */}
        <svg viewBox="0 0 1000 1000" className="absolute inset-0 w-full">
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
        In the north stands Mount Olympus with the house of the gods. Roads lead from it to Old Harbour on the west shore of the Inner Sea, and to the Long
        Wall, which closes the lands in the east. Islands lie in the south.
      </figcaption>
    </figure>
  );
}

function Mark({ place, number }: { place: Place; number: number }) {
  const { dx, dy, anchor } = labels[place.side];
  return (
    <a href={`#${idOf(place.name)}`} aria-label={place.name} className="group outline-offset-2">
      <circle cx={place.x} cy={place.y} r="22" className="fill-transparent" />
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
        className="font-display fill-bone stroke-night stroke-5 uppercase tracking-wide [paint-order:stroke] group-hover:fill-ember-bright max-sm:hidden"
      >
        {place.name}
      </text>
      <circle cx={place.x} cy={place.y} r="23" className="fill-night stroke-bone stroke-2 sm:hidden" />
      <text x={place.x} y={place.y + 10} textAnchor="middle" fontSize="30" className="fill-bone font-bold sm:hidden">
        {number}
      </text>
    </a>
  );
}

/** The sky: the signs of the twelve, named. The outermost ring turns once the page is idle. */
function Sky() {
  const idle = useIdle();
  return (
    <figure className="relative mx-auto w-full max-w-[52rem]">
      <img src={sky} alt="" width={1000} height={1000} className="w-full" />
      <svg viewBox="0 0 1000 1000" aria-hidden="true" className={cn("absolute inset-0 w-full", idle && "[animation:spin_480s_linear_infinite]")}>
        <circle cx="500" cy="500" r="484" fill="none" stroke="var(--color-bronze)" strokeWidth="12" strokeDasharray="2 10.67" />
      </svg>
      <nav aria-label="Gods on the chart of the sky">
        {/* biome-ignore lint/a11y/noSvgWithoutTitle: the navigation around it has the name */}
        <svg viewBox="0 0 1000 1000" className="absolute inset-0 w-full">
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
                  className="font-display fill-bone stroke-night stroke-5 text-[34px] uppercase tracking-wide [paint-order:stroke] group-hover:fill-ember-bright sm:text-[27px]"
                >
                  {god.name}
                </text>
              </a>
            );
          })}
        </svg>
      </nav>
      <figcaption className="sr-only">
        In the middle stands the house of the gods. Around it are twelve signs in a ring, from Helikara at the top clockwise to Morvaion; the rim has 120 marks.
      </figcaption>
    </figure>
  );
}
