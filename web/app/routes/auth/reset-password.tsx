import { resetPassword as sky } from "#brand/pictures";
import { pageMeta } from "~/components/site/page-meta";
import { MailSent } from "./forms";
import { AuthFrame } from "./frame";

export const meta = () =>
  pageMeta("Mail on its way", "The mail with the way to a new password was sent: where to look for it, and how to have it sent again.", {
    index: false,
  });

/** Says that the email was sent, and resends it. */
export default function ResetPassword() {
  return (
    <AuthFrame picture={sky} title="Check your email" intro="The link to choose a new password comes by email.">
      <MailSent />
    </AuthFrame>
  );
}
