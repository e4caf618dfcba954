import { pageMeta } from "~/components/site/page-meta";
import { PasskeySignIn } from "~/features/passkey/components/passkey-sign-in";
import { SignInWithX } from "~/features/session/components/sign-in-with-x";
import { LoginForm } from "./forms";
import { AuthFrame } from "./frame";

export const meta = () =>
  pageMeta("Sign in", "Sign in with your e-mail address and password to see your items, your wallet and the market.");

/** Signs a player in and redirects to where they came from. */
export default function Login() {
  return (
    <AuthFrame title="Sign in" intro="Sign in or create a free account to trade on the market.">
      <LoginForm />
      <PasskeySignIn />
      <SignInWithX />
    </AuthFrame>
  );
}
