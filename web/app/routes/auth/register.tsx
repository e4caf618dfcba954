import { register as dawn } from "#brand/pictures";
import { pageMeta } from "~/components/site/page-meta";
import { SignInWithX } from "~/features/session/components/sign-in-with-x";
import { RegisterForm } from "./forms";
import { AuthFrame } from "./frame";

export const meta = () =>
  pageMeta("Create an account", "An account, a smart wallet and a seat at the market, in one step and without a phrase to write down.");

/** Creates an account. */
export default function Register() {
  return (
    <AuthFrame picture={dawn} title="Create a free account" intro="A wallet is made for you. Nothing to install, no fees for gas.">
      <RegisterForm />
      <SignInWithX />
    </AuthFrame>
  );
}
