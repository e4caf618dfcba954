import { useEffect, useRef, useState } from "react";
import { pageMeta } from "~/components/site/page-meta";
import { ButtonLink } from "~/components/ui/button";
import { Spinner } from "~/components/ui/spinner";
import { SignInWithX } from "~/features/session/components/sign-in-with-x";
import { messageOf } from "~/lib/api/problem";
import { useNavigate, useSearchParams } from "~/lib/navigation";
import { paths } from "~/lib/paths";
import { AuthFrame } from "./frame";

export const meta = () =>
  pageMeta(
    "Sign-in with X",
    "Where X sends you back after you have signed in there. It takes a moment, and then you are where you wanted to go.",
    {
      index: false,
    },
  );

/** The page to which X redirects players: finishes the sign-in, or says why it failed and offers to start again. */
export default function Twitter() {
  const [query, setQuery] = useSearchParams();
  const navigate = useNavigate();
  const [problem, setProblem] = useState("");
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true; // a code can be used once
    const back = { code: query.get("code"), state: query.get("state"), error: query.get("error") };
    setQuery({}, { replace: true });
    const finish = async () => {
      let from: string | undefined;
      try {
        const { comeBackFromX, takeAttempt } = await import("~/features/session/x");
        const attempt = takeAttempt();
        from = attempt?.from;
        await comeBackFromX(back, attempt);
        await navigate(from ?? paths.market, { replace: true });
      } catch (error) {
        setProblem(messageOf(error));
        if (from) setQuery({ from }, { replace: true }); // for another attempt
      }
    };
    void finish();
  }, [query, setQuery, navigate]);
  return (
    <AuthFrame
      title={problem ? "Not signed in" : "Signing you in"}
      intro={
        problem
          ? "Nothing was lost, and nothing was posted. Try again, or sign in by e-mail."
          : "We are asking X who you are. Then you are back where you wanted to go."
      }
    >
      {/* High enough for either result: the page must not shift when it is known. */}
      <div className="min-h-72">
        <div aria-live="polite">
          {problem ? (
            <p role="alert" className="border-l-2 border-bad bg-night-1 px-5 py-4">
              {problem}
            </p>
          ) : (
            <Spinner color="var(--color-bronze)" size={48} />
          )}
        </div>
        {problem && (
          <>
            <ButtonLink to={paths.login(query.get("from") ?? undefined)} className="mt-8 w-full">
              Sign in by e-mail
            </ButtonLink>
            <SignInWithX />
          </>
        )}
      </div>
    </AuthFrame>
  );
}
