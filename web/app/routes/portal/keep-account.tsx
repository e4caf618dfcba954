import { pageMeta } from "~/components/site/page-meta";
import { KeepByLink } from "~/features/account/components/keep-account";
import { AuthFrame } from "~/routes/auth/frame";
import sea from "~art/gaze-sea.svg";

export const meta = () =>
  pageMeta("Keep your account", "Where the link in our mail leads: keep an account that is about to be deleted, without signing in.", { index: false });

/** Keeps an account by an emailed link. */
export default function KeepAccount() {
  return (
    <AuthFrame picture={sea} title="Keep your account" intro="One press, and it is not deleted.">
      <KeepByLink />
    </AuthFrame>
  );
}
