import { forgotPassword as moon } from "#brand/pictures";
import { pageMeta } from "~/components/site/page-meta";
import { ForgotPasswordForm } from "./forms";
import { AuthFrame } from "./frame";

export const meta = () =>
  pageMeta(
    "Forgotten password",
    "A way back in for those who have lost their password: tell us your e-mail address, and we send you a link.",
    {
      index: false,
    },
  );

/** Asks for the address to which the password reset link is sent. */
export default function ForgotPassword() {
  return (
    <AuthFrame
      picture={moon}
      title="Forgot your password?"
      intro="Enter your e-mail address. If it has an account, we send it a link to choose a new password."
    >
      <ForgotPasswordForm />
    </AuthFrame>
  );
}
