import { Link } from "react-router";
import { ButtonLink } from "~/components/ui/button";
import { gods } from "~/content/collections/gods";
import { session } from "~/features/session/store";
import { paths } from "~/lib/paths";
import { useStore } from "~/lib/store";
import { seals } from "./seals";

/**
 * For a signed-in player: where their gods are until the vaults open. Its space is reserved while the session is
 * unknown.
 */
function Keeper() {
  const { isLoading, isAuthenticated } = useStore(session, (s) => s);
  return (
    <div className="min-h-40 border-l border-bronze-dim pl-6">
      <p className="display text-2xl">{isAuthenticated ? "Your gods" : "Do you keep a god?"}</p>
      <p className="mt-2 max-w-sm text-bone-muted">
        {isAuthenticated
          ? "They stand in your inventory. When a season begins they will stand here too, each with the state of its vault."
          : "Sign in, and when a season begins your gods will stand here, each with the state of its vault."}
      </p>
      {!isLoading && (
        <ButtonLink to={isAuthenticated ? paths.inventory : paths.login(paths.godVaults)} kind="quiet" size="small" className="mt-5">
          {isAuthenticated ? "See your inventory" : "Sign in"}
        </ButtonLink>
      )}
    </div>
  );
}

/** The twelve vaults and their state. */
export default function Doors() {
  return (
    <section className="mx-auto max-w-[100rem] px-4 pt-20 sm:px-8 lg:pt-28">
      <div className="grid grid-cols-1 gap-x-16 gap-y-8 lg:grid-cols-[1.65fr_1fr]">
        <h2 className="display text-[clamp(3.0625rem,6vw,5.5rem)]">Twelve seals, all whole</h2>
        <Keeper />
      </div>
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
            <p className="caption mt-1.5 text-bronze">{god.domain} · sealed</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
