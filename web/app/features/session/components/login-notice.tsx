import { useSyncExternalStore } from "react";
import { useSearchParams } from "react-router";

/** Why somebody may be at the login who did not go there, by `failed` in the address. */
const notices = new Map([["link", "The link from the game did not sign you in: it is good for five minutes, and once. Please sign in here."]]);

const never = () => () => {};

/** Says at the login what else has failed before; nothing where nothing has. The prerendered page cannot know. */
export function LoginNotice() {
  const [query] = useSearchParams();
  const text = useSyncExternalStore(
    never,
    () => notices.get(query.get("failed") ?? "") ?? "",
    () => "",
  );
  if (!text) return null;
  return (
    <p role="alert" className="mb-8 border-l-2 border-bad bg-night-1 px-5 py-4">
      {text}
    </p>
  );
}
