import type { ReactNode } from "react";
import { FailedLine } from "~/components/ui/failed-line";
import { DidNotLoad } from "~/components/ui/states";
import { ApiError } from "~/lib/api/problem";
import { useMay, useSession } from "../session";
import { Nothing, Page } from "./page";
import { TableSkeleton } from "./table";

interface ReadProps<T> {
  query: { data: T | undefined; error: Error | null; refetch: () => unknown };
  /** What is loaded, as the subject of "did not load". */
  what: string;
  /** The number of rows of its place while it loads. */
  rows?: number;
  /** What is shown if the server does not know it. */
  unknown?: string;
  children: (data: T) => ReactNode;
}

/** Shows what was read: its place while it loads, or why it did not with a retry. Older data stay while newer ones load. */
export function Read<T>({ query: { data, error, refetch }, what, rows = 5, unknown, children }: ReadProps<T>) {
  if (data !== undefined) {
    return (
      <>
        {error && <FailedLine onRetry={refetch}>{what} could not be loaded again: this may be out of date.</FailedLine>}
        {children(data)}
      </>
    );
  }
  if (unknown && error instanceof ApiError && error.status === 404) return <Nothing>{unknown}</Nothing>;
  if (error) return <DidNotLoad what={what} error={error} onRetry={refetch} />;
  return <TableSkeleton rows={rows} />;
}

/** A page for roles with a right. The server decides; others read here why they see nothing. */
export function For({ right, heading, children }: { right: string; heading: string; children: ReactNode }) {
  const { role } = useSession();
  if (useMay()(right)) return children;
  return (
    <Page heading={heading}>
      <Nothing>Your role, {role}, cannot see this. An owner can change roles.</Nothing>
    </Page>
  );
}
