import { portalLogin as gate } from "#brand/pictures";
import { pageMeta } from "~/components/site/page-meta";
import { PasskeySignIn } from "~/features/passkey/components/passkey-sign-in";
import { SignInWithX } from "~/features/session/components/sign-in-with-x";
import { LoginForm } from "./forms";
import { AuthFrame } from "./frame";

export const meta = () =>
  pageMeta("Portal login", "Sign in to your portal: your profile, what you own, your balances and the settings of your account.", {
    index: false,
  });

/** The portal's own login. */
export default function PortalLogin() {
  return (
    <AuthFrame picture={gate} title="Sign in to your portal" intro="Sign in to see your profile, your items and your money.">
      <LoginForm />
      <PasskeySignIn />
      <SignInWithX />
    </AuthFrame>
  );
}
