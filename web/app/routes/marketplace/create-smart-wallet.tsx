import { createWallet as market } from "#brand/pictures";
import { pageMeta } from "~/components/site/page-meta";
import { ButtonLink } from "~/components/ui/button";
import { useClosing } from "~/features/flags/maintenance";
import { SessionProblem } from "~/features/session/components/session-problem";
import { session } from "~/features/session/store";
import { ConnectionSteps } from "~/features/wallet/components/connection-steps";
import { useMarketWallet } from "~/features/wallet/use-market-wallet";
import { paths } from "~/lib/paths";
import { useStore } from "~/lib/store";
import { PlainPage } from "./plain";

export const meta = () =>
  pageMeta(
    "Your smart wallet",
    "How your smart wallet is made, step by step, without a seed phrase, and how to try again when a step fails.",
    {
      index: false,
    },
  );

/** Shows how the player's wallet is created and connected. */
export default function CreateSmartWallet() {
  const { isAuthenticated, isLoading, problem } = useStore(session, (s) => s);
  useMarketWallet();
  useClosing();
  const unknown = !isAuthenticated && !isLoading && problem !== "";
  return (
    <PlainPage title="Your smart wallet" picture={market} grows>
      <p className="mt-6 max-w-md text-lg text-bone-muted">
        Nothing to install or write down, no fees for gas. It is made in four steps, in a few seconds.
      </p>
      {unknown ? (
        <div className="mt-8">
          <SessionProblem />
        </div>
      ) : (
        <ConnectionSteps />
      )}
      {!isAuthenticated && !unknown && (
        <div className="mt-8 flex min-h-28 flex-wrap content-start gap-4 sm:min-h-12">
          {!isLoading && (
            <>
              <ButtonLink to={paths.register(paths.createWallet)}>Create a free account</ButtonLink>
              <ButtonLink to={paths.login(paths.createWallet)} kind="quiet">
                Sign in
              </ButtonLink>
            </>
          )}
        </div>
      )}
    </PlainPage>
  );
}
