import { type ReactNode, useRef, useState, useSyncExternalStore } from "react";
import { ApiError, messageOf } from "~/lib/api/problem";
import { Button } from "./button";

type Rule = (value: string) => string | undefined;

interface FormProps<Name extends string> {
  /** What must hold for each field, by the field's name. A rule returns the message to show. */
  rules: Record<Name, Rule>;
  /** Sends the values. What it throws is shown: at its field where the server names one, else above the button. */
  onSubmit: (values: Record<Name, string>) => Promise<void>;
  /** What the button says. */
  action: string;
  /** Draws the fields; `errors` holds what is wrong with each. Inputs carry the names of `rules`. */
  children: (errors: Partial<Record<Name, string>>) => ReactNode;
}

/**
 * A form with one button. Values stay in the inputs until they are sent; messages are ours, appear with their field and
 * are read out; the first field that is wrong gets the focus.
 */
export function Form<Name extends string>({ rules, onSubmit, action, children }: FormProps<Name>) {
  const form = useRef<HTMLFormElement>(null);
  const ready = useHydrated();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const [errors, setErrors] = useState<Partial<Record<Name, string>>>({});
  const names = Object.keys(rules) as Name[];

  function show(found: Partial<Record<Name, string>>) {
    setErrors(found);
    const first = names.find((name) => found[name]);
    if (first) form.current?.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus();
    return first !== undefined;
  }

  async function submit(element: HTMLFormElement) {
    const data = new FormData(element);
    const values = Object.fromEntries(names.map((name) => [name, String(data.get(name) ?? "")])) as Record<Name, string>;
    setProblem("");
    if (show(collect(names, (name) => rules[name](values[name])))) return;
    setBusy(true);
    try {
      await onSubmit(values);
    } catch (error) {
      const named = error instanceof ApiError && show(collect(names, (name) => error.field(name)));
      if (!named) setProblem(messageOf(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <form
      ref={form}
      method="post"
      noValidate
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) void submit(event.currentTarget);
      }}
    >
      {children(errors)}
      <p role="alert" className="text-bad empty:hidden">
        {problem}
      </p>
      {/* Sent by the browser itself, before this page works, the values would go nowhere good. */}
      <Button type="submit" busy={busy} disabled={!ready} className="disabled:opacity-100">
        {action}
      </Button>
    </form>
  );
}

const never = () => () => {};

/** False in the prerendered page, true as soon as it works. */
function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}

function collect<Name extends string>(names: Name[], problemOf: (name: Name) => string | undefined): Partial<Record<Name, string>> {
  const found: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const problem = problemOf(name);
    if (problem) found[name] = problem;
  }
  return found;
}
