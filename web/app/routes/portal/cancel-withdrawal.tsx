import { cancelWithdrawal as sea } from "#brand/pictures";
import { pageMeta } from "~/components/site/page-meta";
import { CancelByLink } from "~/features/withdrawal/components/cancel-link";
import { AuthFrame } from "~/routes/auth/frame";

export const meta = () =>
  pageMeta("Cancel a withdrawal", "Where the link in our mail leads: cancel what is about to leave your wallet, without signing in.", {
    index: false,
  });

/** Cancels a withdrawal by an emailed link. */
export default function CancelWithdrawal() {
  return (
    <AuthFrame picture={sea} title="Cancel a withdrawal" intro="What has not left your wallet stays in it.">
      <CancelByLink />
    </AuthFrame>
  );
}
