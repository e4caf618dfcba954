import { newPassword as fate } from "#brand/pictures";
import { pageMeta } from "~/components/site/page-meta";
import { NewPasswordForm } from "./forms";
import { AuthFrame } from "./frame";

export const meta = () =>
  pageMeta("New password", "Where the link in our mail leads: choose a new password here, and every old sign-in ends with the old one.", {
    index: false,
  });

/** Sets a new password using an emailed link. */
export default function NewPassword() {
  return (
    <AuthFrame picture={fate} title="Choose a new password" intro="You are then signed out everywhere, and sign in with the new password.">
      <NewPasswordForm />
    </AuthFrame>
  );
}
