import { TextLink } from "~/components/ui/link";
import { paths } from "~/lib/paths";
import { problemOf } from "../operation";

/** Why something was refused, in the server's words, with a way to fix it if there is one. */
export function Problem({ error }: { error: unknown }) {
  const problem = problemOf(error);
  return (
    <p role="alert" className="wrap-anywhere text-bad empty:hidden">
      {problem?.message}
      {problem?.reason === "email" && (
        <>
          {" "}
          <TextLink to={paths.settings}>Confirm your email in your settings</TextLink>
        </>
      )}
    </p>
  );
}
