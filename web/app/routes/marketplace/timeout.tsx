import { pageMeta } from "~/components/site/page-meta";
import { ButtonLink } from "~/components/ui/button";
import { endedText } from "~/features/session/components/login-notice";
import { useHydrated } from "~/lib/hydrated";
import { paths } from "~/lib/paths";
import { keys, read } from "~/lib/storage";
import lapse from "~art/scene-lapse.svg";
import { PlainPage } from "./plain";

export const meta = () =>
  pageMeta("Your session has ended", "Your session on the market has ended. Sign in again to go on where you were; your holds run on until their time is up.", {
    index: false,
  });

/** The page after a session on the marketplace has ended. */
export default function Timeout() {
  const isEnded = useHydrated() && read(keys.ended) !== null;
  return (
    <PlainPage title="Your session has ended" picture={lapse}>
      <p className="mt-6 max-w-md text-lg text-bone-muted">
        {isEnded ? endedText : "You were away for a while, or the connection was lost for too long."} Sign in again to go on. What you hold stays yours until
        its time is up, and a payment that was on its way still is.
      </p>
      <p className="mt-8 flex flex-wrap gap-4">
        <ButtonLink to={paths.login(paths.market)}>Sign in again</ButtonLink>
        <ButtonLink to={paths.home} kind="quiet">
          To the home page
        </ButtonLink>
      </p>
    </PlainPage>
  );
}
