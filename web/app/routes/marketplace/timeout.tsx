import { useEffect } from "react";
import { useLocation } from "react-router";
import { timeout as lapse } from "#brand/pictures";
import { pageMeta } from "~/components/site/page-meta";
import { ButtonLink } from "~/components/ui/button";
import { elsewhereText, endedText } from "~/features/session/components/login-notice";
import { session } from "~/features/session/store";
import { useHydrated } from "~/lib/hydrated";
import { useNavigate } from "~/lib/navigation";
import { paths, safeReturn } from "~/lib/paths";
import { keys, read } from "~/lib/storage";
import { useStore } from "~/lib/store";
import { PlainPage } from "./plain";

const awayText = "You were away for a while, or the connection was lost for too long.";

export const meta = () =>
  pageMeta(
    "Your session has ended",
    "Your session on the market has ended. Sign in again to go on where you were; your holds run on until their time is up.",
    {
      index: false,
    },
  );

/** The page after a session on the marketplace has ended. It leads back as soon as the player signs in, in any tab. */
export default function Timeout() {
  const isHydrated = useHydrated();
  const isEnded = isHydrated && read(keys.ended) !== null;
  const { isAuthenticated, signedOutElsewhere } = useStore(session, (s) => s);
  const { state } = useLocation();
  const navigate = useNavigate();
  const from = safeReturn((state as { from?: string } | null)?.from ?? null, paths.market);
  useEffect(() => {
    if (isAuthenticated) void navigate(from, { replace: true });
  }, [isAuthenticated, from, navigate]);
  return (
    <PlainPage title="Your session has ended" picture={lapse}>
      <p className="mt-6 max-w-md text-lg text-bone-muted">
        {isEnded ? endedText : signedOutElsewhere ? elsewhereText : awayText} Sign in again to go on. What you hold stays yours until its
        time is up, and a payment that was on its way still is.
      </p>
      <p className="mt-8 flex flex-wrap gap-4">
        <ButtonLink to={paths.login(from)}>Sign in again</ButtonLink>
        <ButtonLink to={paths.home} kind="quiet">
          To the home page
        </ButtonLink>
      </p>
    </PlainPage>
  );
}
