import { useState } from "react";
import { ButtonLink } from "~/components/ui/button";
import { FormResult } from "~/components/ui/form-result";
import { TextLink } from "~/components/ui/link";
import { LinkForm } from "~/features/session/components/link-form";
import type { components } from "~/lib/api/schema.gen";
import { paths } from "~/lib/paths";
import { notMe } from "../not-me";

/** Freezes the account by the link of an email. */
export function NotMeForm() {
  const [done, setDone] = useState<components["schemas"]["NotMe"]>();
  const [refused, setRefused] = useState("");
  if (done) {
    return (
      <>
        <FormResult title="The account is frozen">{done.message}</FormResult>
        <ul className="mt-6 grid gap-2 border-l border-bronze-dim pl-6 text-bone-muted">
          <li>What waited to leave the wallet is cancelled, approvals are void, and all passkeys are removed.</li>
          {done.emailRestored && <li>The address to which we sent this link is the account's email again.</li>}
        </ul>
        <p className="mt-8">
          {done.byOperator ? (
            <ButtonLink to={paths.support}>To the support</ButtonLink>
          ) : (
            <ButtonLink to={paths.forgotPassword}>Choose a new password</ButtonLink>
          )}
        </p>
        {!done.byOperator && (
          <p className="mt-6 text-bone-muted">
            We mail a link to the account's address. With a new password the account is yours again, now or later.
          </p>
        )}
      </>
    );
  }
  if (refused) {
    return (
      <>
        <FormResult title="Nothing has changed" tone="bad">
          {refused}
        </FormResult>
        <p className="mt-8 flex flex-wrap items-center gap-x-6 gap-y-3">
          <ButtonLink to={paths.forgotPassword}>Choose a new password</ButtonLink>
          <TextLink to={paths.support} className="inline-flex min-h-11 items-center">
            To the support
          </TextLink>
        </p>
      </>
    );
  }
  return (
    <>
      <LinkForm action="This was not me: freeze the account" act={async (token) => setDone(await notMe(token))} onRefused={setRefused} />
      <p className="mt-6 text-bone-muted">You need not sign in. If it was you, leave this page: nothing changes.</p>
    </>
  );
}
