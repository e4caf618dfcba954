import { notifyAnywhere } from "~/components/ui/toasts";
import { useNavigate } from "~/lib/navigation";
import { paths } from "~/lib/paths";
import { logout } from "./session";

/** Signs the player out at their own request: redirects to the first page, not to the login. */
export function useSignOut(): () => Promise<void> {
  const navigate = useNavigate();
  return async () => {
    await navigate(paths.home);
    if (!(await logout()))
      notifyAnywhere("error", "Failed to logout", "You are signed out in this browser, but the server could not be reached.");
  };
}
