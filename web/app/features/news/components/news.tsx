import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import { DidNotLoad, EmptyState, Skeleton } from "~/components/ui/states";
import { session } from "~/features/session/store";
import { queryClient } from "~/lib/query";
import { useStore } from "~/lib/store";
import { day } from "~/lib/time";
import { loadNews } from "../queries";
import { NewsText } from "./text";

/** All news items, newest first. */
export function NewsList() {
  return (
    <QueryClientProvider client={queryClient}>
      <List />
    </QueryClientProvider>
  );
}

function List() {
  const isPlayer = useStore(session, (s) => s.isAuthenticated);
  const { data, error, refetch } = useQuery({ queryKey: ["news", isPlayer], queryFn: ({ signal }) => loadNews({ signal }) });
  if (!data && error) return <DidNotLoad what="The news" error={error} onRetry={refetch} />;
  if (!data) return <Skeleton className="h-48" />;
  if (!data.length) return <EmptyState title="No news yet">New posts appear here.</EmptyState>;
  return (
    <ul className="grid max-w-[44rem] gap-12">
      {data.map(({ id, title, html, from }) => (
        <li key={id} id={id} className="border-t border-bronze-dim pt-6">
          <p className="caption text-bronze">{day(from)}</p>
          <h2 className="display mt-2 text-4xl">{title}</h2>
          <NewsText html={html} className="mt-4" />
        </li>
      ))}
    </ul>
  );
}
