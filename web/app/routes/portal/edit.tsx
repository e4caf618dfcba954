import type { ReactNode } from "react";
import { OwnPage } from "~/components/site/own-page";
import { pageMeta } from "~/components/site/page-meta";
import { TextLink } from "~/components/ui/link";
import { ConfirmEmail } from "~/features/account/components/confirm-email";
import { DeleteAccount } from "~/features/account/components/delete-account";
import { NameForm, PasswordForm } from "~/features/account/components/profile-forms";
import { Security } from "~/features/account/components/security";
import { Sessions } from "~/features/account/components/sessions";
import { Passkeys } from "~/features/passkey/components/passkeys";
import { session } from "~/features/session/store";
import { VerifiedWallet } from "~/features/wallet/components/verified-wallet";
import { paths } from "~/lib/paths";
import { useStore } from "~/lib/store";

export const meta = () =>
  pageMeta(
    "Profile Settings",
    "The name that others read, your password, where you are signed in, a wallet of your own, and the way out.",
    { index: false },
  );

/** A group of settings, beside its description. */
function Part({ heading, text, children }: { heading: string; text: ReactNode; children: ReactNode }) {
  return (
    <section className="grid grid-cols-1 gap-x-16 gap-y-7 border-t border-line py-12 lg:grid-cols-[1fr_1.65fr] lg:py-16">
      <div>
        <h2 className="display text-4xl">{heading}</h2>
        <div className="mt-3 max-w-sm text-bone-muted">{text}</div>
      </div>
      <div className="max-w-xl">{children}</div>
    </section>
  );
}

/** Profile settings. */
export default function Edit() {
  const email = useStore(session, (s) => s.profile?.AccountInfo.PrivateInfo.Email);
  return (
    <OwnPage heading="Settings" lead={email ? <>You sign in as {email}.</> : "You sign in from elsewhere, without an e-mail address."}>
      <Part heading="Name" text="Other players see it on leaderboards and in the game. Nobody else can use it.">
        <NameForm />
      </Part>
      <Part heading="Email" text="Where we write to you. Buying may need one that is confirmed.">
        <ConfirmEmail />
      </Part>
      {email && (
        <Part heading="Password" text="Choose one that you use nowhere else.">
          <PasswordForm email={email} />
          <p className="mt-6 text-bone-muted">
            <TextLink to={paths.forgotPassword}>Forgot your password?</TextLink>
          </p>
        </Part>
      )}
      <Part
        heading="Passkeys"
        text="Sign in and confirm with your fingerprint, your face or the lock of your device, instead of passwords and codes."
      >
        <Passkeys />
      </Part>
      <Part
        heading="Where you are signed in"
        text="If one of these is not you, sign it out, remove passkeys that are not yours and change your password."
      >
        <Sessions />
      </Part>
      <Part
        heading="Security"
        text="Sign-ins, approvals, signatures. If something here was not you, remove passkeys that are not yours and change your password."
      >
        <Security />
      </Part>
      <VerifiedWallet className="border-t border-line py-12 lg:py-16" />
      <Part
        heading="Delete account"
        text={
          <>
            <p>
              Your name, e-mail address, balances and the only key of your wallet are destroyed. It cannot be undone. If something is still
              in the wallet, we name it first.
            </p>
            <p className="mt-3">
              <TextLink to={paths.deleteAccount}>What is deleted and what stays</TextLink>
            </p>
          </>
        }
      >
        <DeleteAccount />
      </Part>
    </OwnPage>
  );
}
