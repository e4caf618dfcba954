import { useSearchParams } from "react-router";
import { useHydrated } from "~/lib/hydrated";

/** Says at the login that a link from a game has not signed its player in; see `paths.loginAfterLink`. The prerendered page cannot know. */
export function LoginNotice() {
  const [query] = useSearchParams();
  if (!useHydrated() || query.get("failed") !== "link") return null;
  return (
    <p role="alert" className="mb-8 border-l-2 border-bad bg-night-1 px-5 py-4">
      The link from the game did not sign you in: it is good for five minutes, and once. Please sign in here.
    </p>
  );
}
