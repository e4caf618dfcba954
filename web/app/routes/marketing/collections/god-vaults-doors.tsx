import { Link } from "react-router";
import { gods } from "~/content/collections/gods";
import { paths } from "~/lib/paths";
import { seals } from "./seals";

/** The seals of the twelve vaults. */
export default function Doors() {
  return (
    <section className="mx-auto max-w-[100rem] px-4 pt-20 sm:px-8 lg:pt-28">
      <h2 className="display text-[clamp(3.0625rem,6vw,5.5rem)]">Twelve seals</h2>
      <ul className="mt-14 grid grid-cols-2 gap-px border border-line bg-line sm:grid-cols-3 lg:grid-cols-4 xl:grid-cols-6">
        {gods.map((god) => (
          <li key={god.slug} className="group relative bg-night px-5 pb-6 pt-8">
            <img
              src={seals[god.slug]}
              alt=""
              width={240}
              height={240}
              loading="lazy"
              decoding="async"
              className="w-28 transition-transform duration-300 group-hover:-translate-y-1 lg:w-32"
            />
            <h3 className="display mt-5 text-3xl">
              {/* A full page load, so that the browser itself scrolls to the fragment. */}
              <Link reloadDocument to={`${paths.elderGods}#${god.slug}`} className="after:absolute after:inset-0 group-hover:text-ember-bright">
                {god.name}
              </Link>
            </h3>
            <p className="caption mt-1.5 text-bronze">{god.domain}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
