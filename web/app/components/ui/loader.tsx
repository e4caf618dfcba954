import { cn } from "~/lib/cn";
import { Spinner } from "./spinner";

/** The full-page loader. It appears after a short delay, so that a fast response does not flash. */
export function PageLoader({ className }: { className?: string }) {
  return (
    <div className={cn("grid min-h-svh place-items-center", className)}>
      <h1 className="sr-only">Loading</h1>
      <div className="animate-fade [animation-delay:150ms]">
        <Spinner color="var(--color-bronze)" size={72} />
      </div>
    </div>
  );
}
