import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { Button } from "~/components/ui/button";
import { DidNotLoad, Skeleton } from "~/components/ui/states";
import { useSignOut } from "~/features/session/use-sign-out";
import { messageOf } from "~/lib/api/problem";
import { plural } from "~/lib/format";
import { dateTime } from "~/lib/time";
import { endOtherSessions, endSession, type PlayerSession, sessionsQuery } from "../settings";

/** The player's sessions, with buttons to end them. */
export function Sessions() {
  const { data, error, refetch } = useQuery(sessionsQuery);
  const leave = useSignOut();
  const outcome = useRef<HTMLParagraphElement>(null);
  const [busy, setBusy] = useState("");
  const [said, setSaid] = useState({ problem: "", done: "" });

  /** Runs a button's action. The button may disappear: the focus moves to the result's message. */
  async function act(button: string, what: () => Promise<string>) {
    if (busy) return;
    setBusy(button);
    setSaid({ problem: "", done: "" });
    try {
      const done = await what();
      setSaid({ problem: "", done });
      outcome.current?.focus();
    } catch (cause) {
      setSaid({ problem: messageOf(cause), done: "" });
    } finally {
      setBusy("");
    }
  }

  if (!data) {
    if (error) {
      return <DidNotLoad what="Your sessions" error={error} onRetry={refetch} />;
    }
    return <Skeleton className="h-40" />;
  }
  const others = data.filter((s) => !s.current);
  return (
    <div className="grid gap-5">
      <ul className="border-y border-line">
        {data.map((s) => (
          <li key={s.id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-b border-line py-4 last:border-b-0">
            <div>
              <p className="text-lg">
                {browserOf(s)}
                {s.current && <span className="caption ml-3 text-bronze">This one</span>}
              </p>
              <p className="figures text-sm text-bone-muted">
                Since {dateTime(s.createdAt)}, last seen {dateTime(s.lastUsedAt)}
              </p>
            </div>
            {s.current ? (
              <Button kind="quiet" size="small" onClick={leave}>
                Sign out
              </Button>
            ) : (
              <Button
                kind="quiet"
                size="small"
                busy={busy === s.id}
                aria-label={`Sign out ${browserOf(s)}, since ${dateTime(s.createdAt)}`}
                onClick={() =>
                  void act(s.id, async () => {
                    await endSession(s.id);
                    return `${browserOf(s)} is signed out.`;
                  })
                }
              >
                Sign out
              </Button>
            )}
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <Button
          kind="quiet"
          className="justify-self-start"
          busy={busy === "others"}
          onClick={() =>
            void act("others", async () => {
              const ended = await endOtherSessions();
              return ended ? `You are signed out elsewhere: ${plural(ended, "session")} ended.` : "You were not signed in anywhere else.";
            })
          }
        >
          Sign out elsewhere
        </Button>
      )}
      <p role="alert" className="text-bad empty:hidden">
        {said.problem}
      </p>
      <p ref={outcome} tabIndex={-1} role="status" className={said.done ? "text-good outline-none" : "sr-only"}>
        {said.done}
      </p>
    </div>
  );
}

const browserOf = ({ browser }: PlayerSession) => browser || "A browser we do not know";
