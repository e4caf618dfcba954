import { lazy, Suspense, useCallback, useEffect, useState } from "react";
import { apiDoc as prophecy } from "#brand/pictures";
import { PageHero } from "~/components/site/page-hero";
import { pageMeta } from "~/components/site/page-meta";
import { Skeleton } from "~/components/ui/skeleton";
import type { Contract } from "~/features/api-doc/contract";
import { json } from "~/lib/api/json";
import { report } from "~/lib/report";

export const meta = () =>
  pageMeta(
    "API",
    "What the portal's interface takes and what it answers. The page reads the contract this server keeps to; programs may read it too.",
  );

/** Loaded in parallel with the contract. */
const book = () => import("~/features/api-doc/components/book").then(({ Book }) => ({ default: Book }));
const Book = lazy(book);

/** Loaded with them, as it is needed only if the contract does not come. Then it may not come either. */
const failure = () =>
  import("~/components/ui/states").then(
    ({ DidNotLoad }) => ({ default: DidNotLoad }),
    () => ({ default: () => <p role="alert">The contract did not load. Please reload the page.</p> }),
  );
const DidNotLoad = lazy(failure);

const address = "/api/openapi.json";

/** A placeholder for the calls: as high as the window, so that nothing below shifts. */
function Loading() {
  return (
    <div className="mx-auto grid min-h-svh max-w-[100rem] gap-16 px-4 pt-12 sm:px-8 lg:grid-cols-[1fr_3fr]">
      <Skeleton className="h-32 lg:h-[60svh]" />
      <Skeleton className="h-[60svh]" />
    </div>
  );
}

/** The API's contract, for developers. It is loaded from this server; no other server is contacted. */
export default function ApiDoc() {
  const [contract, setContract] = useState<Contract>();
  const [problem, setProblem] = useState<unknown>();
  const load = useCallback(async () => {
    try {
      const [found] = await Promise.all([json<Contract>(address), book(), failure()]);
      setContract(found);
      setProblem(undefined);
    } catch (error) {
      report("api-doc: did not load", error);
      setProblem(error);
    }
  }, []);
  useEffect(() => void load(), [load]);
  return (
    <>
      <PageHero caption="Every call, in one book" heading="API" picture={{ src: prophecy, width: 680, height: 740 }}>
        <p className="mt-7 max-w-[34rem] text-lg">
          What the portal's interface takes and what it answers. The page reads the contract this server keeps to;{" "}
          <a href={address} className="underline decoration-bronze underline-offset-4 hover:text-ember-bright">
            programs may read it too
          </a>
          .
        </p>
      </PageHero>
      {contract ? (
        <Suspense fallback={<Loading />}>
          <Book contract={contract} />
        </Suspense>
      ) : problem ? (
        <div className="mx-auto min-h-[60svh] max-w-[100rem] px-4 pt-12 sm:px-8">
          <Suspense>
            <DidNotLoad what="The contract" error={problem} onRetry={load} />
          </Suspense>
        </div>
      ) : (
        <Loading />
      )}
    </>
  );
}
