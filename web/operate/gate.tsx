import { useQuery } from "@tanstack/react-query";
import { Link, useRouteError } from "react-router";
import { Button } from "~/components/ui/button";
import { linkLook } from "~/components/ui/link";
import { DidNotLoad, Skeleton } from "~/components/ui/states";
import { messageOf } from "~/lib/api/problem";
import { ActProvider } from "./act-dialog";
import { isRefused } from "./api";
import { SignIn } from "./pages/sign-in";
import { usePolling } from "./query";
import { SessionProvider, sessionEvery, sessionQuery } from "./session";
import { Alone, Shell } from "./shell";
import { Nothing, Page, useTitle } from "./ui/page";

/** The pages for who is signed in; the sign-in in their place for others. */
export function Gate() {
  const { data, error, refetch } = useQuery(sessionQuery);
  usePolling("session", typeof data === "object" ? sessionEvery : undefined);
  if (data === "none" || data === "ended") return <SignIn ended={data === "ended"} />;
  if (data) {
    return (
      <SessionProvider value={data}>
        {/* Another operator sees nothing of what the one before has opened. */}
        <ActProvider key={data.id}>
          <Shell />
        </ActProvider>
      </SessionProvider>
    );
  }
  if (isRefused(error, "not-set-up")) {
    return (
      <Alone heading="Not set up">
        <p>{messageOf(error)}</p>
      </Alone>
    );
  }
  return (
    <Alone heading="Operate">
      {error ? <DidNotLoad what="The console" error={error} onRetry={refetch} /> : <Skeleton className="h-40" />}
    </Alone>
  );
}

/** An address that leads nowhere. */
export function NotFound() {
  return (
    <Page heading="Not found">
      <Nothing>
        There is no such page.{" "}
        <Link to="/" className={linkLook}>
          Home
        </Link>
      </Nothing>
    </Page>
  );
}

/** A page that stopped working. */
export function Broken() {
  useTitle("Error");
  const error = useRouteError();
  return (
    <Alone heading="This page stopped working">
      <p className="text-bone-muted [overflow-wrap:anywhere]">{error instanceof Error ? error.message : String(error)}</p>
      <Button className="justify-self-start" onClick={() => location.reload()}>
        Load the page again
      </Button>
    </Alone>
  );
}
