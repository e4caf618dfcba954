import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { Button } from "./button";
import { FailedLine } from "./failed-line";

export interface MoreProps {
  /** The list's query. */
  query: Pick<UseInfiniteQueryResult, "hasNextPage" | "isFetchingNextPage" | "isFetchNextPageError"> & { fetchNextPage: () => unknown };
  /** By default with a margin above. */
  className?: string;
}

/** Below a list of pages: the button that loads the next one, or that it did not load with a retry. Nothing on the last page. */
export function More({ query: { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage }, className = "mt-6" }: MoreProps) {
  if (!hasNextPage) return null;
  return (
    <div className={className}>
      {isFetchNextPageError ? (
        <FailedLine onRetry={fetchNextPage}>The rest did not load.</FailedLine>
      ) : (
        <Button kind="quiet" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </div>
  );
}
