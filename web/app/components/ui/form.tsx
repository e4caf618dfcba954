import { type ReactNode, useRef, useState } from "react";
import { ApiError, messageOf } from "~/lib/api/problem";
import { useHydrated } from "~/lib/hydrated";
import { Button } from "./button";

type Rule = (value: string) => string | undefined;

interface FormProps<Name extends string> {
  /** The validation rule of each field, by the field's name. A rule returns the message to show. */
  rules: Record<Name, Rule>;
  /**
   * Submits the values. An error is shown at its field if the server names one, otherwise above the button. A
   * returned text is shown below the button.
   */
  onSubmit: (values: Record<Name, string>) => Promise<unknown>;
  /** The button's label. */
  action: string;
  /** The button's kind; "primary" by default. */
  kind?: "primary" | "quiet";
  /** Clears the fields after they were submitted. */
  clears?: boolean;
  /** Renders the fields; `errors` has each field's error. Inputs have the names of `rules`. */
  children: (errors: Partial<Record<Name, string>>) => ReactNode;
}

/**
 * A form with one button. Values stay in the inputs until they are submitted; messages are ours, appear at their
 * field and are read out; the first invalid field gets the focus.
 */
export function Form<Name extends string>({ rules, onSubmit, action, kind = "primary", clears = false, children }: FormProps<Name>) {
  const form = useRef<HTMLFormElement>(null);
  const ready = useHydrated();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const [outcome, setOutcome] = useState("");
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
    setOutcome("");
    if (show(collect(names, (name) => rules[name](values[name])))) return;
    setBusy(true);
    try {
      const done = await onSubmit(values);
      if (typeof done === "string") setOutcome(done);
      if (clears) form.current?.reset();
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
      <p role="alert" className="wrap-anywhere text-bad empty:hidden">
        {problem}
      </p>
      {/* Disabled until hydration: the browser's own submission would put the values into the URL. */}
      <Button type="submit" kind={kind} busy={busy} disabled={!ready} className="disabled:opacity-100">
        {action}
      </Button>
      <p role="status" className={outcome ? "text-good" : "sr-only"}>
        {outcome}
      </p>
    </form>
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
