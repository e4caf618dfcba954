import { useStore } from "~/lib/store";
import { session } from "../store";

/** Tells password managers to which account a form belongs. */
export function Username() {
  const email = useStore(session, (s) => s.profile?.AccountInfo.PrivateInfo.Email);
  if (!email) return null;
  return <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />;
}
