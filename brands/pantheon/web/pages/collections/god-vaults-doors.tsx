import { Link } from "react-router";
import { gods } from "#brand/content/collections/gods";
import { pages } from "#brand/pages";
import { ButtonLink } from "~/components/ui/button";
import { SessionProblem } from "~/features/session/components/session-problem";
import { session } from "~/features/session/store";
import { deferred } from "~/lib/deferred";
import { paths } from "~/lib/paths";
import { useStore } from "~/lib/store";
import { seals } from "./seals";

/** Loaded for signed-in players only. */
const Own = deferred(() => import("./god-vaults-own"));

function Visitor() {
  return (
    <div className="border-l border-bronze-dim pl-6">
      <h2 className="display text-[clamp(3.0625rem,6vw,5.5rem)]">Do you own a god?</h2>
      <p className="mt-4 max-w-[34rem] text-lg">
        Sign in, and your gods are shown here, each with the state of its vault and what is in it.
      </p>
      <div className="mt-8 flex flex-wrap gap-4">
        <ButtonLink to={paths.login(pages.godVaults)}>Sign in</ButtonLink>
        <ButtonLink to={paths.register(pages.godVaults)} kind="quiet">
          Register
        </ButtonLink>
      </div>
    </div>
  );
}

/** The player's vaults, or the way to them. Its space is reserved while it is not known who is there. */
function Claims() {
  const { isLoading, isAuthenticated, problem } = useStore(session, (s) => s);
  return (
    <section className="mx-auto min-h-72 max-w-[100rem] px-4 pt-16 sm:px-8 lg:pt-24">
      {isAuthenticated ? <Own /> : problem ? <SessionProblem /> : !isLoading && <Visitor />}
    </section>
  );
}

/** The seals of the twelve vaults. */
function Seals() {
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
              <Link
                reloadDocument
                to={`${pages.elderGods}#${god.slug}`}
                className="after:absolute after:inset-0 group-hover:text-ember-bright"
              >
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

/** The player's vaults, and the seals of all twelve. */
export default function Doors() {
  return (
    <>
      <Claims />
      <Seals />
    </>
  );
}
