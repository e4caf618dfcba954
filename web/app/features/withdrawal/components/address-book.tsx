import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { Button } from "~/components/ui/button";
import { CopyIconButton } from "~/components/ui/copyable";
import { Field } from "~/components/ui/field";
import { Form } from "~/components/ui/form";
import { DidNotLoad, Skeleton } from "~/components/ui/states";
import { Step } from "~/features/account/components/step";
import { messageOf } from "~/lib/api/problem";
import { addressProblem } from "../address";
import { addressBookQuery, forgetAddress, type SavedAddress, saveAddress } from "../queries";
import { WholeAddress } from "./address";

/** The server counts the characters in the same way. */
export function labelProblem(value: string): string | undefined {
  const length = [...value.trim().replace(/\s+/g, " ")].length;
  if (length < 1) return "Enter a name.";
  if (length > 40) return "A name has at most 40 characters.";
}

interface EntryProps {
  entry: SavedAddress;
  /** Reports the result; the entry may be gone by then. */
  onDone: (text: string) => void;
}

function Entry({ entry: { address, label }, onDone }: EntryProps) {
  const [renaming, setRenaming] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const remove = async () => {
    setBusy(true);
    setProblem("");
    try {
      await forgetAddress(address);
      onDone(`${label} is removed.`);
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <li className="grid gap-4 border-t border-line py-5">
      <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-3">
        <div className="min-w-0">
          <p className="break-words text-lg font-bold">{label}</p>
          <div className="mt-1 flex items-center gap-1">
            <WholeAddress address={address} />
            <CopyIconButton text={address} what="address" />
          </div>
        </div>
        {!renaming && (
          <div className="flex flex-wrap gap-3">
            <Button kind="quiet" aria-label={`Rename ${label}`} onClick={() => setRenaming(true)}>
              Rename
            </Button>
            <Button kind="quiet" busy={busy} aria-label={`Remove ${label}`} onClick={() => void remove()}>
              Remove
            </Button>
          </div>
        )}
      </div>
      {renaming && (
        <Step>
          <div className="grid max-w-md gap-4">
            <Form
              rules={{ label: labelProblem }}
              action="Save the name"
              kind="quiet"
              onSubmit={async (values) => {
                await saveAddress(address, values.label.trim());
                setRenaming(false);
                onDone(`It is called ${values.label.trim()} now.`);
              }}
            >
              {(errors) => <Field label="New name" name="label" defaultValue={label} autoComplete="off" error={errors.label} />}
            </Form>
            <Button kind="bare" onClick={() => setRenaming(false)}>
              Cancel
            </Button>
          </div>
        </Step>
      )}
      <p role="alert" className="text-bad empty:hidden">
        {problem}
      </p>
    </li>
  );
}

/** The addresses that the player has saved. A saved one is easier to choose, and nothing is sent to it any faster. */
export function AddressBook() {
  const { data, error, refetch } = useQuery(addressBookQuery);
  const outcome = useRef<HTMLParagraphElement>(null);
  const [said, setSaid] = useState("");
  const done = (text: string) => {
    setSaid(text);
    outcome.current?.focus(); // what was pressed may be gone
  };
  return (
    <div className="grid grid-cols-1 gap-x-16 gap-y-10 lg:grid-cols-[1.65fr_1fr]">
      <section>
        <h2 className="display mb-6 text-4xl">Addresses</h2>
        <p ref={outcome} tabIndex={-1} role="status" className={said ? "mb-4 text-good outline-none" : "sr-only"}>
          {said}
        </p>
        {!data && error && <DidNotLoad what="Your addresses" error={error} onRetry={refetch} />}
        {!data && !error && <Skeleton className="h-40" />}
        {data?.length === 0 && <p className="text-bone-muted">No address is saved yet. Save those that you send to more than once.</p>}
        {data && data.length > 0 && (
          <ul className="border-b border-line">
            {data.map((entry) => (
              <Entry key={entry.address} entry={entry} onDone={done} />
            ))}
          </ul>
        )}
      </section>
      <section>
        <h2 className="display mb-6 text-3xl">Add an address</h2>
        <Form
          rules={{ to: addressProblem, label: labelProblem }}
          action="Save the address"
          kind="quiet"
          clears
          onSubmit={async ({ to, label }) => {
            await saveAddress(to.trim(), label.trim());
            setSaid("");
            return `${label.trim()} is saved.`;
          }}
        >
          {(errors) => (
            <>
              <Field
                label="Address"
                name="to" // as the server names it
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                hint="It begins with 0x. Copy it; do not type it from a picture."
                error={errors.to}
                className="figures"
              />
              <Field label="Name" name="label" autoComplete="off" hint="1 to 40 characters. Only you see it." error={errors.label} />
            </>
          )}
        </Form>
      </section>
    </div>
  );
}
