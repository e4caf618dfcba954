import { deferred } from "~/components/ui/deferred";

// It is known only with the configuration whether there is one.
const XButton = deferred(() => import("./x-button"));

/** The place of the button that signs in with X. Its space is kept, so that nothing shifts. */
export function SignInWithX() {
  return (
    <div className="mt-8 grid min-h-12 gap-3">
      <XButton />
    </div>
  );
}
