import { createContext, type ReactNode, use, useCallback, useEffect, useRef, useState } from "react";
import { Button } from "~/components/ui/button";
import { Dialog } from "~/components/ui/dialog";
import { Field } from "~/components/ui/field";
import { Form } from "~/components/ui/form";
import { focusMain } from "~/lib/focus";
import { changed } from "./query";
import { endSession, useMay, withConfirm } from "./session";

type Values = Record<string, string>;

/** Something that an operator does. */
export interface Act {
  /** The right that it needs; "" for none. */
  right: string;
  /** The label of the button that opens it. */
  label: string;
  /** What the label leaves out, for screen readers: "Remove Ada". */
  name?: string;
  title: string;
  /** What will happen, in plain words. */
  will: string;
  /** The rules of the fields besides the reason, by name. */
  rules?: Record<string, (value: string) => string | undefined>;
  fields?: (errors: Partial<Values>) => ReactNode;
  /** The hint of the reason; null for an act that needs none. */
  reason?: string | null;
  /** Does it, and returns what is shown then. Repeated after the passkey was asked for. `onAsk` is for those that ask for it themselves. */
  run: (values: Values & { reason: string }, onAsk: (asks: boolean) => void) => Promise<ReactNode>;
  /** Whether it ends the session. */
  signsOut?: boolean;
}

/** A reason as the server takes it: 1 to 200 characters on one line. */
export function reasonProblem(value: string): string | undefined {
  const reason = value.trim();
  if (!reason) return "Give a reason.";
  if ([...reason].length > 200) return "Use at most 200 characters.";
  if (/[\p{C}\p{Zl}\p{Zp}]/u.test(reason)) return "Use one line, without control characters.";
}

const ActContext = createContext<(act: Act) => void>(() => {});

/** Returns a function that opens an act. */
export const useAct = (): ((act: Act) => void) => use(ActContext);

/** The dialog of acts. It is above the pages: the row from which an act was opened may be gone when its result is shown. */
export function ActProvider({ children }: { children: ReactNode }) {
  const [act, setAct] = useState<Act>();
  const [open, setOpen] = useState(false);
  const opener = useRef<Element | null>(null);
  const running = useRef(false);
  const done = useRef(false);
  const show = useCallback((next: Act) => {
    opener.current = document.activeElement;
    done.current = false;
    setAct(next);
    setOpen(true);
  }, []);
  function close() {
    if (running.current) return;
    setOpen(false);
    if (done.current && act?.signsOut) endSession();
    // The dialog returns the focus to what opened it, unless that is gone.
    if (!opener.current?.isConnected) setTimeout(focusMain);
  }
  return (
    <ActContext value={show}>
      {children}
      {act && (
        <Dialog open={open} onOpenChange={close} title={act.title} description={act.will}>
          <ActForm act={act} onRunning={(runs) => (running.current = runs)} onDone={() => (done.current = true)} onClose={close} />
        </Dialog>
      )}
    </ActContext>
  );
}

interface ActFormProps {
  act: Act;
  onRunning: (running: boolean) => void;
  onDone: () => void;
  onClose: () => void;
}

function ActForm({ act, onRunning, onDone, onClose }: ActFormProps) {
  const [asks, setAsks] = useState(false);
  const [result, setResult] = useState<ReactNode>();
  const box = useRef<HTMLDivElement>(null);
  const done = result !== undefined;
  useEffect(() => {
    if (done) box.current?.focus();
  }, [done]);
  if (done) {
    return (
      <div className="grid gap-5 px-6 py-5">
        <div ref={box} tabIndex={-1} role="status" className="border-l-2 border-good pl-4 outline-none [overflow-wrap:anywhere]">
          {result}
        </div>
        <Button kind="quiet" size="small" className="justify-self-start" onClick={onClose}>
          Close
        </Button>
      </div>
    );
  }
  const rules: NonNullable<Act["rules"]> = act.reason === null ? { ...act.rules } : { ...act.rules, reason: reasonProblem };
  return (
    <div className="px-6 py-5">
      <Form
        rules={rules}
        action={act.label}
        onSubmit={async (values) => {
          onRunning(true);
          try {
            const given = { ...values, reason: values.reason?.trim() ?? "" };
            const shown = await withConfirm(() => act.run(given, setAsks), setAsks);
            if (!act.signsOut) void changed();
            onDone();
            setResult(shown);
          } finally {
            onRunning(false);
          }
        }}
      >
        {(errors) => (
          <>
            {act.fields?.(errors)}
            {act.reason !== null && (
              <Field
                label="Reason"
                name="reason"
                autoComplete="off"
                hint={act.reason ?? "1 to 200 characters, for the log."}
                error={errors.reason}
              />
            )}
            <p role="status" className="text-sm text-bone-muted empty:hidden">
              {asks && "Confirm with your passkey that it is you."}
            </p>
          </>
        )}
      </Form>
    </div>
  );
}

interface ActButtonProps {
  act: Act;
  kind?: "primary" | "quiet";
}

/** The button that opens an act; nothing for a role without the right. */
export function ActButton({ act, kind = "quiet" }: ActButtonProps) {
  const open = useAct();
  if (!useMay()(act.right) && act.right) return null;
  return (
    <Button kind={kind} size="small" aria-label={act.name} aria-haspopup="dialog" onClick={() => open(act)}>
      {act.label}
    </Button>
  );
}
