import { lazy, Suspense } from "react";
import { ButtonLink } from "~/components/ui/button";
import { SessionProblem } from "~/features/session/components/session-problem";
import { session } from "~/features/session/store";
import { paths } from "~/lib/paths";
import { useStore } from "~/lib/store";

/** Loaded for signed-in players only. */
const Own = lazy(() => import("./god-vaults-own"));

function Visitor() {
  return (
    <div className="border-l border-bronze-dim pl-6">
      <h2 className="display text-[clamp(3.0625rem,6vw,5.5rem)]">Do you keep a god?</h2>
      <p className="mt-4 max-w-[34rem] text-lg">Sign in, and your gods stand here, each with the state of its vault and what is in it.</p>
      <div className="mt-8 flex flex-wrap gap-4">
        <ButtonLink to={paths.login(paths.godVaults)}>Sign in</ButtonLink>
        <ButtonLink to={paths.register(paths.godVaults)} kind="quiet">
          Register
        </ButtonLink>
      </div>
    </div>
  );
}

/** The player's vaults, or the way to them. Its space is reserved while it is not known who is there. */
export default function Claims() {
  const { isLoading, isAuthenticated, problem } = useStore(session, (s) => s);
  return (
    <section className="mx-auto min-h-72 max-w-[100rem] px-4 pt-16 sm:px-8 lg:pt-24">
      {isAuthenticated ? (
        <Suspense>
          <Own />
        </Suspense>
      ) : problem ? (
        <SessionProblem />
      ) : (
        !isLoading && <Visitor />
      )}
    </section>
  );
}
