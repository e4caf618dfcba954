import { useState } from "react";
import { ButtonLink } from "~/components/ui/button";
import { Form } from "~/components/ui/form";
import { FormResult } from "~/components/ui/form-result";
import { TextLink } from "~/components/ui/link";
import { ApiError, messageOf } from "~/lib/api/problem";
import type { components } from "~/lib/api/schema.gen";
import { useLinkToken } from "~/lib/link-token";
import { paths } from "~/lib/paths";
import { notMe } from "../not-me";

/**
 * Freezes the account by the link of an email, whoever is signed in. It takes a press: programs that read mail open links too.
 */
export function NotMeForm() {
  const token = useLinkToken();
  const [done, setDone] = useState<components["schemas"]["NotMe"]>();
  const [refused, setRefused] = useState("");
  if (done) {
    return (
      <>
        <FormResult title="The account is frozen">{done.message}</FormResult>
        <ul className="mt-6 grid gap-2 border-l border-bronze-dim pl-6 text-bone-muted">
          <li>What waited to leave the wallet is cancelled, and approvals are void.</li>
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
          <p className="mt-6 text-bone-muted">We mail a link to the account's address. With a new password the account is yours again, now or later.</p>
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
      <Form
        rules={{}}
        action="This was not me: freeze the account"
        onSubmit={async () => {
          if (!token) return setRefused("The link is incomplete. Open it from our email again.");
          try {
            setDone(await notMe(token));
          } catch (error) {
            if (!(error instanceof ApiError) || error.status !== 404) throw error;
            setRefused(messageOf(error));
          }
        }}
      >
        {() => null}
      </Form>
      <p className="mt-6 text-bone-muted">You need not sign in. If it was you, leave this page: nothing changes.</p>
    </>
  );
}
