import { type ComponentProps, useEffect, useRef, useState } from "react";
import { brand } from "#brand";
import { cn } from "~/lib/cn";
import { inputLook, Labelled, type LabelledProps } from "./field";

interface PasswordFieldProps extends LabelledProps, Omit<ComponentProps<"input">, keyof LabelledProps | "type"> {
  /** "current-password" or "new-password": whether password managers fill in or generate one (HTML, autofill). */
  autoComplete: "current-password" | "new-password";
}

/** A labelled password field, with a button that shows the password. Submitting the form hides it again. */
export function PasswordField({ label, hint, error, className, ...props }: PasswordFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [shown, setShown] = useState(false);
  useEffect(() => {
    // Browsers remember values of text fields, and password managers look for password fields.
    const form = input.current?.form;
    const hide = () => setShown(false);
    form?.addEventListener("submit", hide);
    return () => form?.removeEventListener("submit", hide);
  }, []);
  return (
    <Labelled label={label} hint={hint} error={error} className={className}>
      {(ties) => (
        <div className="relative">
          <input
            {...props}
            {...ties}
            ref={input}
            type={shown ? "text" : "password"}
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            className={cn(inputLook, "h-12 pr-20")}
          />
          <button
            type="button"
            aria-label={`${shown ? "Hide" : "Show"} ${label.toLowerCase()}`}
            aria-controls={ties.id}
            onClick={() => setShown(!shown)}
            className="absolute inset-y-0.5 right-0.5 min-w-16 rounded px-3 text-bone-muted hover:text-bone"
          >
            {shown ? "Hide" : "Show"}
          </button>
        </div>
      )}
    </Labelled>
  );
}

/** What the estimates mean. */
const meanings = ["Very easy to guess", "Easy to guess", "Could be harder to guess", "Hard to guess", "Very hard to guess"];

/** A field for a new password, with an estimate of how hard it is to guess. The code for it is loaded when somebody types. */
export function NewPasswordField(props: Omit<PasswordFieldProps, "name" | "autoComplete" | "onChange">) {
  const [estimate, setEstimate] = useState<number>();
  const newest = useRef("");
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const form = box.current?.closest("form");
    const forget = () => {
      newest.current = "";
      setEstimate(undefined);
    };
    form?.addEventListener("reset", forget);
    return () => form?.removeEventListener("reset", forget);
  }, []);
  const judge = async ({ value, form }: HTMLInputElement) => {
    newest.current = value;
    const known: string[] = [brand.name];
    for (const [name, text] of new FormData(form ?? undefined)) if (name !== "password" && name !== "current") known.push(String(text));
    const library = await import("~/lib/strength").catch(() => undefined); // without it the server still decides
    if (newest.current === value) setEstimate(value ? library?.strength(value, known) : undefined);
  };
  return (
    <div ref={box} className="grid gap-1.5">
      <PasswordField {...props} name="password" autoComplete="new-password" onChange={({ currentTarget }) => void judge(currentTarget)} />
      <div aria-hidden className="grid grid-cols-4 gap-1">
        {[1, 2, 3, 4].map((least) => (
          <span
            key={least}
            className={cn("h-1 rounded", (estimate ?? 0) < least ? "bg-night-2" : estimate === 1 ? "bg-bad" : "bg-bronze")}
          />
        ))}
      </div>
      <p aria-live="polite" className="min-h-5 text-sm text-bone-muted">
        {estimate !== undefined && meanings[estimate]}
      </p>
    </div>
  );
}
