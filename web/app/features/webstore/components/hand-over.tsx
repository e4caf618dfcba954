import { QueryClientProvider, useMutation } from "@tanstack/react-query";
import { Button, ButtonLink } from "~/components/ui/button";
import { RequireSession } from "~/features/session/components/require-session";
import { session } from "~/features/session/store";
import { ApiError, messageOf } from "~/lib/api/problem";
import { useHydrated } from "~/lib/hydrated";
import { useLeave, useSearchParams } from "~/lib/navigation";
import { usePageReturn } from "~/lib/page-return";
import { paths } from "~/lib/paths";
import { queryClient } from "~/lib/query";
import { useStore } from "~/lib/store";
import { returnToShop } from "../queries";

/** The host of a shop's address; undefined if it is none. */
function hostOf(address: string | null): string | undefined {
  if (!address || !URL.canParse(address)) return undefined;
  const { protocol, host } = new URL(address);
  return protocol === "https:" || protocol === "http:" ? host : undefined;
}

/** Hands over to the shop on a press. The server decides whether the address is the shop's. */
function Continue({ returnUrl, host }: { returnUrl: string; host: string }) {
  const leave = useLeave();
  const handOver = useMutation({ mutationFn: async (leaveNow: typeof leave) => leaveNow(await returnToShop(returnUrl)) });
  usePageReturn(handOver.reset);
  const { error } = handOver;
  if (error instanceof ApiError && error.status === 400) return <Refused>{messageOf(error)}</Refused>;
  return (
    <>
      <p className="text-lg">
        The shop at <strong className="break-all">{host}</strong> asks who you are. It gets:
      </p>
      <p className="mt-4 border-l-2 border-bronze bg-night-1 px-5 py-4">Your player id, encrypted, good for one hour. Nothing else.</p>
      <Button
        busy={handOver.isPending || handOver.isSuccess}
        onClick={() => handOver.mutate(leave)}
        className="mt-8 h-auto min-h-12 max-w-full whitespace-normal py-2"
      >
        <span className="min-w-0 break-all">Continue to {host}</span>
      </Button>
      <p role="alert" className="mt-4 border-l-2 border-bad pl-4 empty:hidden">
        {error && messageOf(error)}
      </p>
    </>
  );
}

function Refused({ children }: { children: string }) {
  return (
    <>
      <p role="alert" className="border-l-2 border-bad bg-night-1 px-5 py-4 text-lg">
        {children} Nothing has been told to anyone.
      </p>
      <ButtonLink to={paths.webstore} kind="quiet" className="mt-8">
        To the webstore
      </ButtonLink>
    </>
  );
}

/** Tells the shop who the player is, if the player wants that. Visitors are led to the login, and back. */
export function HandOver() {
  const [query] = useSearchParams();
  const ready = useHydrated();
  const isVisitor = useStore(session, (s) => !s.isLoading && !s.isAuthenticated);
  const returnUrl = query.get("returnUrl");
  const host = hostOf(returnUrl);
  if (!ready) return null;
  const lead = isVisitor && host && (
    <p className="text-lg">
      The shop at <strong className="break-all">{host}</strong> asks who you are. Sign in first; then you are asked whether to tell it.
    </p>
  );
  return (
    <RequireSession loader={lead} frame={(problem) => problem}>
      {returnUrl && host ? (
        <QueryClientProvider client={queryClient}>
          <Continue returnUrl={returnUrl} host={host} />
        </QueryClientProvider>
      ) : (
        <Refused>{returnUrl ? "This is not the address of a shop." : "The address says no shop. Start again in the shop."}</Refused>
      )}
    </RequireSession>
  );
}
