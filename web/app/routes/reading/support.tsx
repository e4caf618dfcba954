import { Outlet, useLocation } from "react-router";
import { Chapter } from "~/components/site/chapter";
import type { AccountDeletedState } from "~/features/account/components/delete-account";
import { session } from "~/features/session/store";
import { deferred } from "~/lib/deferred";
import { useHydrated } from "~/lib/hydrated";
import { useStore } from "~/lib/store";
import { useReading } from "./use-reading";

/** Loaded lazily: the text is read first. */
const DeleteAccount = deferred(async () => ({ default: (await import("~/features/account/components/delete-account")).DeleteAccount }));
const AccountDeleted = deferred(
  async () => ({ default: (await import("~/features/account/components/account-deleted")).AccountDeleted }),
  <div className="min-h-[80svh]" />,
);

/** Account deletion: what it means, its form, and afterwards a confirmation. */
export default function Support() {
  const { page, headings } = useReading();
  const { state } = useLocation();
  const signedIn = useStore(session, (s) => s.isAuthenticated);
  const ready = useHydrated();
  const gone = ready && !signedIn && (state as Partial<AccountDeletedState> | null)?.gone === true;
  if (gone) {
    return <AccountDeleted />;
  }
  return (
    <Chapter page={page} headings={headings} caption="Support">
      <Outlet />
      <div className="mt-10 min-h-72 max-w-md border-l border-bronze-dim pl-6">{ready && <DeleteAccount />}</div>
    </Chapter>
  );
}
