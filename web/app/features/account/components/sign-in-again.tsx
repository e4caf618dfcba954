import { linkLook } from "~/components/ui/link";
import { logout } from "~/features/session/session";
import { useNavigate } from "~/lib/navigation";
import { paths } from "~/lib/paths";

/** Says that the player has to sign in again for something, and links to the login and from there back to a page. */
export function SignInAgain({ message, from }: { message: string; from: string }) {
  const navigate = useNavigate();
  // The login redirects signed-in players straight back.
  const signInAnew = () => {
    void logout();
    void navigate(paths.login(from));
  };
  return (
    <p role="alert" className="empty:hidden">
      {message && (
        <>
          {message}{" "}
          <button type="button" className={linkLook} onClick={signInAnew}>
            Sign in again
          </button>
        </>
      )}
    </p>
  );
}
