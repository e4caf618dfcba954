import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { Button } from "~/components/ui/button";
import { Field } from "~/components/ui/field";
import { Form } from "~/components/ui/form";
import { DidNotLoad, Skeleton } from "~/components/ui/states";
import { useApproval } from "~/features/approval/use-approval";
import { configQuery } from "~/features/config/config";
import { messageOf } from "~/lib/api/problem";
import { serverNow } from "~/lib/clock";
import { passkeysWork } from "~/lib/passkey";
import { dateTime } from "~/lib/time";
import { addPasskey, newSecret, type Passkey, passkeysQuery, removePasskey, renamePasskey } from "../passkeys";

/** As many passkeys as an account can have. */
const most = 10;

const nameProblem = (name: string) => ([...name.trim()].length > 40 ? "Please choose a name of at most 40 characters." : undefined);

/** The player's passkeys, with forms to add, rename and remove them. */
export function Passkeys() {
  const { data, error, refetch } = useQuery(passkeysQuery);
  const { data: config } = useQuery(configQuery);
  const { form: approval, run } = useApproval();
  const outcome = useRef<HTMLParagraphElement>(null);
  const secret = useRef("");
  const [added, setAdded] = useState(0);
  const [renaming, setRenaming] = useState("");
  const [removing, setRemoving] = useState("");
  const [said, setSaid] = useState({ problem: "", done: "" });

  function say(done: string) {
    setSaid({ problem: "", done });
    requestAnimationFrame(() => outcome.current?.focus()); // what was pressed may be gone
  }

  async function remove({ id, name }: Passkey) {
    setRemoving(id);
    setSaid({ problem: "", done: "" });
    try {
      if (await run(() => removePasskey(id))) say(`“${name}” is removed. You can delete it on your device too.`);
    } catch (cause) {
      setSaid({ problem: messageOf(cause), done: "" });
    } finally {
      setRemoving("");
    }
  }

  if (!data) {
    if (error) return <DidNotLoad what="Your passkeys" error={error} onRetry={refetch} />;
    return <Skeleton className="h-40" />;
  }
  const now = serverNow();
  const works = config && passkeysWork(config.passkeyDomain);
  return (
    <div className="grid gap-6">
      {data.length > 0 && (
        <ul className="border-y border-line">
          {data.map((p) => (
            <li key={p.id} className="grid gap-4 border-b border-line py-4 last:border-b-0">
              <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
                <div className="min-w-0">
                  <p className="text-lg [overflow-wrap:anywhere]">{p.name}</p>
                  <p className="figures text-sm text-bone-muted">
                    Added {dateTime(p.createdAt)}, {p.usedAt ? `last used ${dateTime(p.usedAt)}` : "not used yet"}
                  </p>
                  {now < Date.parse(p.approvesFrom) && (
                    <p className="text-sm text-bone-muted">
                      It signs you in now, and confirms what you do from {dateTime(p.approvesFrom)}.
                    </p>
                  )}
                </div>
                <div className="flex gap-2">
                  <Button
                    kind="quiet"
                    size="small"
                    aria-label={`Rename ${p.name}`}
                    aria-expanded={renaming === p.id}
                    onClick={() => setRenaming(renaming === p.id ? "" : p.id)}
                  >
                    Rename
                  </Button>
                  <Button
                    kind="quiet"
                    size="small"
                    aria-label={`Remove ${p.name}`}
                    busy={removing === p.id}
                    disabled={removing !== "" && removing !== p.id}
                    onClick={() => void remove(p)}
                  >
                    Remove
                  </Button>
                </div>
              </div>
              {renaming === p.id && (
                <Form
                  rules={{ name: nameProblem }}
                  action="Save the name"
                  kind="quiet"
                  onSubmit={async ({ name }) => {
                    await renamePasskey(p.id, name);
                    setRenaming("");
                    say("The passkey has its new name.");
                  }}
                >
                  {(errors) => <Field label="New name" name="name" defaultValue={p.name} spellCheck={false} error={errors.name} />}
                </Form>
              )}
            </li>
          ))}
        </ul>
      )}
      {approval}
      {works === false && <p className="text-bone-muted">Passkeys do not work in this browser, or not at this address.</p>}
      {works && data.length < most && (
        <Form
          rules={{ name: nameProblem }}
          action="Add a passkey"
          kind={data.length ? "quiet" : "primary"}
          key={added}
          onSubmit={async ({ name }) => {
            setSaid({ problem: "", done: "" });
            secret.current ||= newSecret(); // the same after the device's dialog was closed: its approval is still good
            const made = await run(async () => {
              await addPasskey(name, secret.current);
            });
            if (!made) return;
            secret.current = "";
            setAdded(added + 1);
            say("The passkey is added. You can sign in with it now.");
          }}
        >
          {(errors) => (
            <Field
              label="Name of the new passkey"
              name="name"
              spellCheck={false}
              hint="So that you know it again: my phone, my laptop. Your device asks for your fingerprint, face or lock."
              error={errors.name}
            />
          )}
        </Form>
      )}
      {data.length >= most && <p className="text-bone-muted">That is as many as an account can have. Remove one to add another.</p>}
      <p role="alert" className="text-bad empty:hidden">
        {said.problem}
      </p>
      <p ref={outcome} tabIndex={-1} role="status" className={said.done ? "text-good outline-none" : "sr-only"}>
        {said.done}
      </p>
    </div>
  );
}
