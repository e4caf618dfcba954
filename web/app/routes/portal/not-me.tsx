import { notMe as oracle } from "#brand/pictures";
import { pageMeta } from "~/components/site/page-meta";
import { NotMeForm } from "~/features/account/components/not-me";
import { AuthFrame } from "~/routes/auth/frame";

export const meta = () =>
  pageMeta("This was not me", "Where the link in our mails leads: sign everybody out and freeze your account, without signing in.", {
    index: false,
  });

/** Freezes an account by the link of a notice. */
export default function NotMe() {
  return (
    <AuthFrame
      picture={oracle}
      title="This was not me"
      intro="One press signs everybody out, cancels what waits to leave your wallet and freezes the account."
    >
      <NotMeForm />
    </AuthFrame>
  );
}
