import type { ReactNode } from "react";
import { TextLink } from "~/components/ui/link";
import { useHydrated } from "~/lib/hydrated";
import { useSearchParams } from "~/lib/navigation";
import { paths } from "~/lib/paths";
import { keys, read } from "~/lib/storage";
import { useStore } from "~/lib/store";
import { readFromTab } from "~/lib/tab-storage";
import { session } from "../store";

/** Shown if the player signed out in another tab. */
export const elsewhereText = "You signed out in another tab of this browser.";

/** Shown if the server ended the session. */
export const endedText = "You have been signed out: this session ended, or it was ended on another device.";

/**
 * Shows on the login page why the account is frozen, that a game's link did not sign its player in (see
 * `paths.loginAfterLink`), that the server ended the session, or that the player did in another tab. The prerendered page shows nothing.
 */
export function LoginNotice() {
  const [query] = useSearchParams();
  const elsewhere = useStore(session, (s) => s.signedOutElsewhere);
  if (!useHydrated()) return null;
  const frozen = readFromTab(keys.frozen);
  if (frozen) {
    return (
      <Notice>
        {frozen} <TextLink to={paths.support}>To the support</TextLink>
      </Notice>
    );
  }
  if (query.get("failed") === "link") {
    return <Notice>The link from the game did not sign you in: it is good for five minutes, and once. Please sign in here.</Notice>;
  }
  if (read(keys.ended)) return <Notice>{endedText}</Notice>;
  return elsewhere ? <Notice>{elsewhereText}</Notice> : null;
}

function Notice({ children }: { children: ReactNode }) {
  return (
    <p role="alert" className="mb-8 wrap-anywhere border-l-2 border-bad bg-night-1 px-5 py-4">
      {children}
    </p>
  );
}
