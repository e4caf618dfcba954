import Text from "#brand/content/games/universe.mdx";
import { gods, idOf, places } from "#brand/content/games/world";
import { pages } from "#brand/pages";
import { Prose } from "~/components/site/prose";
import { Section } from "~/components/site/section";
import { ButtonLink } from "~/components/ui/button";

/** The stories of the places, of the world, and of the gods. */
export default function Gazetteer() {
  return (
    <>
      <Section heading="Twenty places" text="As they lie on the chart of the lands." beside>
        <ol className="grid gap-x-10 sm:grid-cols-2 xl:grid-cols-3">
          {places.map((place, i) => (
            <li
              key={place.name}
              id={idOf(place.name)}
              className="grid grid-cols-[2.25rem_1fr] border-t border-line py-4 target:border-ember"
            >
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
      <Section heading="Twelve gods, and what is done about them" className="[&_h2]:max-w-[6.37em]">
        <ul
          className={
            "grid gap-x-10 sm:grid-cols-2 lg:grid-cols-3 lg:[&>li:nth-child(3n)]:translate-y-24 " +
            "lg:[&>li:nth-child(3n+2)]:translate-y-12"
          }
        >
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
          <ButtonLink to={pages.elderGods} kind="quiet">
            See the twelve gods
          </ButtonLink>
        </p>
      </Section>
    </>
  );
}
