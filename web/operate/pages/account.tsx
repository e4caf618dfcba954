import { useRef, useState } from "react";
import { Button } from "~/components/ui/button";
import { Field } from "~/components/ui/field";
import { Form } from "~/components/ui/form";
import { messageOf } from "~/lib/api/problem";
import { makePasskey } from "~/lib/passkey";
import { ActButton } from "../act-dialog";
import { removePasskey } from "../acts";
import { post } from "../api";
import { changed, useRead } from "../query";
import { answerForSession, signOut, useSession } from "../session";
import type { Ceremony, NewOperatorPasskey, OperatorPasskey, OperatorPasskeys } from "../types";
import { Page, Section } from "../ui/page";
import { Read } from "../ui/read";
import { Table } from "../ui/table";
import { Facts, Time } from "../ui/values";
import { passkeyNameProblem } from "../validate";

/** The operator's own session and passkeys. */
export function Account() {
  const session = useSession();
  const passkeys = useRead<OperatorPasskeys>("passkeys");
  return (
    <Page heading="Account">
      <Section heading="Session" acts={<SignOut />}>
        <Facts
          facts={[
            ["Name", session.name],
            ["Role", session.role],
            ["Signed in until", <Time key="until" at={session.expiresAt} />],
            ["If unused, until", <Time key="idle" at={session.idleAt} />],
            ["Acts need no passkey until", Date.parse(session.confirmedUntil) > Date.now() && <Time at={session.confirmedUntil} />],
          ]}
        />
      </Section>
      <Section heading="Passkeys" note="With them you sign in, and confirm that it is you. Have two, on two devices.">
        <Read query={passkeys} what="Your passkeys" rows={2}>
          {({ items }) => <Passkeys passkeys={items} />}
        </Read>
      </Section>
      <Section heading="Add a passkey" note="Your device asks for your fingerprint, your face or its lock.">
        <AddPasskey />
      </Section>
    </Page>
  );
}

function SignOut() {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  async function press() {
    setBusy(true);
    setProblem("");
    try {
      await signOut();
    } catch (error) {
      setProblem(messageOf(error));
      setBusy(false);
    }
  }
  return (
    <>
      <p role="alert" className="text-sm text-bad empty:hidden">
        {problem}
      </p>
      <Button kind="quiet" size="small" busy={busy} onClick={() => void press()}>
        Sign out
      </Button>
    </>
  );
}

function Passkeys({ passkeys }: { passkeys: OperatorPasskey[] }) {
  return (
    <Table
      caption="Your passkeys"
      rows={passkeys}
      keyOf={({ id }) => id}
      columns={[
        { name: "Name", className: "w-full min-w-32 [overflow-wrap:anywhere]", cell: ({ name }) => name },
        { name: "Added", cell: ({ createdAt }) => <Time at={createdAt} /> },
        { name: "Last used", cell: ({ usedAt }) => (usedAt ? <Time at={usedAt} /> : <span className="text-bone-muted">Never</span>) },
        { name: "Where", className: "whitespace-nowrap", cell: ({ synced }) => (synced ? "On several devices" : "On one device") },
        {
          name: "Acts",
          hidden: true,
          cell: (passkey) =>
            passkeys.length > 1 ? (
              <ActButton act={removePasskey(passkey)} />
            ) : (
              <span className="whitespace-nowrap text-bone-muted">Add another to remove it</span>
            ),
        },
      ]}
    />
  );
}

function AddPasskey() {
  const [added, setAdded] = useState("");
  const [asks, setAsks] = useState(false);
  const outcome = useRef<HTMLParagraphElement>(null);
  return (
    <div className="grid max-w-md gap-4">
      <Form
        rules={{ name: passkeyNameProblem }}
        action="Add a passkey"
        kind="quiet"
        clears
        onSubmit={async ({ name }) => {
          setAdded("");
          const { options } = await post<Ceremony>("passkeys/options", await answerForSession(setAsks));
          const response = await makePasskey(options);
          const body: NewOperatorPasskey = { name: name.trim(), response };
          const passkey = await post<OperatorPasskey>("passkeys", body);
          void changed();
          setAdded(passkey.name);
          requestAnimationFrame(() => outcome.current?.focus());
        }}
      >
        {(errors) => (
          <>
            <Field
              label="Name"
              name="name"
              autoComplete="off"
              spellCheck={false}
              hint="So that you know it again: work laptop, phone."
              error={errors.name}
            />
            <p role="status" className="text-sm text-bone-muted empty:hidden">
              {asks && "Confirm with a passkey that you have that it is you."}
            </p>
          </>
        )}
      </Form>
      <p ref={outcome} tabIndex={-1} role="status" className="text-good outline-none empty:hidden">
        {added && `“${added}” is added. You can sign in with it now.`}
      </p>
    </div>
  );
}
