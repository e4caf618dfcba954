import { type ComponentProps, useEffect, useRef, useState } from "react";
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
