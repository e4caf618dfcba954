import { useEffect, useState } from "react";
import { useSearchParams } from "react-router";
import { Button } from "~/components/ui/button";
import { messageOf } from "~/lib/api/problem";

/** Whether players can sign in with X here; false until it is known. */
function useX(): boolean {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    // Not among the page's first scripts, for no form waits for it. Without the configuration there is the e-mail.
    import("~/features/config/load").then(async ({ loadConfig }) => setOpen((await loadConfig()).signInWithX)).catch(() => {});
  }, []);
  return open;
}

/**
 * Leads to X to sign in there, or to make an account; afterwards to the page that `from` in the address names. Absent where
 * the site has no app at X, but for its place, so that nothing moves when it comes.
 */
export function SignInWithX() {
  const open = useX();
  const [query] = useSearchParams();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  async function leave() {
    setBusy(true);
    setProblem("");
    try {
      await (await import("../x")).leaveForX(query.get("from"));
    } catch (error) {
      setProblem(messageOf(error));
      setBusy(false);
    }
  }
  return (
    <div className="mt-8 grid min-h-12 gap-3">
      {open && (
        <Button kind="quiet" busy={busy} onClick={() => void leave()}>
          <svg width="18" height="18" viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
            <path d="M17.8 3h3.3l-7.2 8.2L22.3 21h-6.6l-5.2-6.5L4.6 21H1.3l7.7-8.8L1 3h6.8l4.7 6zm-1.2 16.1h1.8L6.9 4.8H4.9z" />
          </svg>
          Continue with X
        </Button>
      )}
      {problem && (
        <p role="alert" className="text-bad">
          {problem}
        </p>
      )}
    </div>
  );
}
