import { useEffect, useRef, useState } from "react";
import { ButtonLink } from "~/components/ui/button";
import { FormResult } from "~/components/ui/form-result";
import { LinkForm } from "~/features/session/components/link-form";
import { loadProfile } from "~/features/session/session";
import { paths } from "~/lib/paths";
import { keepByLink } from "../deletion";

/** Keeps an account that is about to be deleted by the link of an email. */
export function KeepByLink() {
  const [result, setResult] = useState<{ problem?: string }>();
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    box.current?.scrollIntoView({ block: "center" }); // the page around it is long
    box.current?.focus({ preventScroll: true });
  }, []);
  if (result) {
    return (
      <>
        {result.problem ? (
          <FormResult title="Nothing has changed" tone="bad">
            {result.problem}
          </FormResult>
        ) : (
          <FormResult title="You keep your account">It will not be deleted, and everything in it stays.</FormResult>
        )}
        <p className="mt-8 text-bone-muted">
          If it was not you who asked for the deletion, somebody else is signed in to your account. Choose a new password.
        </p>
        <p className="mt-6">
          <ButtonLink to={paths.forgotPassword}>Choose a new password</ButtonLink>
        </p>
      </>
    );
  }
  return (
    <section ref={box} tabIndex={-1} aria-labelledby="keep" className="grid gap-5 outline-none">
      <h2 id="keep" className="display text-3xl">
        Keep your account
      </h2>
      <p>It is about to be deleted, with all that is in it. Press the button to keep it.</p>
      <LinkForm
        action="Keep my account"
        act={async (token) => {
          await keepByLink(token);
          setResult({});
          void loadProfile(); // the player who is signed in here may be the one
        }}
        onRefused={(problem) => setResult({ problem })}
      />
    </section>
  );
}
