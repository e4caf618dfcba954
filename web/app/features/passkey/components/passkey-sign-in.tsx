import { deferred } from "~/lib/deferred";

// Whether passkeys work here is known only with the configuration.
const PasskeyButton = deferred(() => import("./passkey-button"));

/** The place of the button that signs in by a passkey. Its space is kept, so that nothing shifts. */
export function PasskeySignIn() {
  return (
    <div className="mt-8 grid min-h-12 gap-3">
      <PasskeyButton />
    </div>
  );
}
