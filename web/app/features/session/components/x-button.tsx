import { useState } from "react";
import { Button } from "~/components/ui/button";
import { FailedLine } from "~/components/ui/failed-line";
import { useConfigured } from "~/features/config/use-configured";
import { messageOf } from "~/lib/api/problem";
import { useLeave, useSearchParams } from "~/lib/navigation";
import { usePageReturn } from "~/lib/page-return";

/**
 * Starts a sign-in or registration with X, which returns to the page that `from` in the address names. There is none if the
 * site has no app at X. Says so if that is unknown.
 */
export default function XButton() {
  const { on: open, failed, retry } = useConfigured("signInWithX");
  const [query] = useSearchParams();
  const leave = useLeave();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  usePageReturn(() => setBusy(false));
  async function begin() {
    setBusy(true);
    setProblem("");
    try {
      leave(await (await import("../x")).beginAtX(query.get("from")));
    } catch (error) {
      setProblem(messageOf(error));
      setBusy(false);
    }
  }
  return (
    <>
      {open && (
        <Button kind="quiet" busy={busy} onClick={() => void begin()}>
          <svg width="18" height="18" viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
            <path d="M17.8 3h3.3l-7.2 8.2L22.3 21h-6.6l-5.2-6.5L4.6 21H1.3l7.7-8.8L1 3h6.8l4.7 6zm-1.2 16.1h1.8L6.9 4.8H4.9z" />
          </svg>
          Continue with X
        </Button>
      )}
      {failed && <FailedLine onRetry={retry}>Whether you can sign in with X did not load.</FailedLine>}
      {problem && (
        <p role="alert" className="text-bad">
          {problem}
        </p>
      )}
    </>
  );
}
