import { useCallback, useEffect, useRef, useState } from "react";
import { DidNotLoad } from "~/components/ui/states";
import { session } from "~/features/session/store";
import { cn } from "~/lib/cn";
import { report } from "~/lib/report";
import { useStore } from "~/lib/store";
import { type BoardId, type BoardPage, lines, loadBoard, type Part } from "../load";

interface BoardProps {
  board: BoardId;
  /** The table's caption for screen readers. */
  caption: string;
  /** The unit of the scores, as the column's heading. */
  counted: string;
}

const places = Array.from({ length: lines }, (_, index) => index);
const cell = "h-12 px-0 py-0";
/** The height of a full page, reserved before the data loads. */
const room = "min-h-[calc(16*3rem+1px)]";

function Rows({ items }: { items: BoardPage["items"] }) {
  return items.map(({ rank, name, score, me }) => (
    <tr key={rank} aria-current={me || undefined} className={cn("border-t border-line", me && "bg-night-2")}>
      <td className={cn(cell, "display figures w-20 pl-4 text-2xl", rank <= 3 ? "text-bronze" : "text-bone-muted")}>{rank}</td>
      <th scope="row" className={cn(cell, "max-w-0 truncate pr-4 text-left", me ? "font-bold" : "font-normal")}>
        {name}
        {me && <span className="caption ml-3 text-bronze">You</span>}
      </th>
      <td className={cn(cell, "figures w-28 pr-4 text-right")}>{score.toLocaleString("en")}</td>
    </tr>
  ));
}

/** Placeholder lines. */
function Blank() {
  return places.map((index) => (
    <tr key={index} className="border-t border-line">
      <td className={cn(cell, "w-20 pl-4")}>
        <span className="block h-4 w-6 rounded-sm bg-night-2" />
      </td>
      <td className={cn(cell, "pr-4")}>
        <span className={cn("block h-4 rounded-sm bg-night-2", index % 3 === 0 ? "w-40" : "w-28")} />
      </td>
      <td className={cn(cell, "w-28 pr-4")}>
        <span className="ml-auto block h-4 w-14 rounded-sm bg-night-2" />
      </td>
    </tr>
  ));
}

const switchLook = "display min-h-11 border-b-2 px-1 pb-2 pt-1 text-xl transition-colors";
const pageLook =
  "display rounded border border-line-strong px-4 py-2 text-lg text-bone transition-colors hover:border-bronze " +
  "hover:bg-night-2 disabled:opacity-45 disabled:hover:border-line-strong disabled:hover:bg-transparent";

/**
 * A leaderboard: page by page from the top, and for a signed-in player around the own line. When the player changes
 * or signs out, it starts over.
 */
export function Board(props: BoardProps) {
  const player = useStore(session, (s) => s.profile?.AccountInfo.PlayFabId);
  return <Lines key={player} {...props} />;
}

function Lines({ board, caption, counted }: BoardProps) {
  const { isLoading, isAuthenticated } = useStore(session, (s) => s);
  /** The requested part; undefined by default. */
  const [wanted, setWanted] = useState<Part>();
  const [loaded, setLoaded] = useState<{ board: BoardId; part: Part; page: BoardPage }>();
  const [error, setError] = useState<unknown>();
  /** Whether the player is known not to be on the leaderboard. */
  const [absent, setAbsent] = useState(false);
  /** The cursors of the previous pages. */
  const [before, setBefore] = useState<string[]>([]);
  const asked = useRef<AbortController>(undefined);
  // Players who are not on the leaderboard get the top, not an empty part.
  const byDefault = isAuthenticated && !absent ? null : "";
  const part = wanted === undefined ? byDefault : wanted;
  const page = loaded?.board === board && loaded.part === part ? loaded.page : undefined;

  const load = useCallback(async () => {
    asked.current?.abort();
    const request = new AbortController();
    asked.current = request;
    setError(undefined);
    try {
      const answer = await loadBoard(board, part, request.signal);
      if (request.signal.aborted) return;
      setLoaded({ board, part, page: answer });
      if (part === null) setAbsent(answer.items.length === 0);
    } catch (problem) {
      if (request.signal.aborted) return;
      report("leaderboard: did not load", problem);
      setError(problem);
    }
  }, [board, part]);

  useEffect(() => {
    if (isLoading) return;
    void load();
    return () => asked.current?.abort();
  }, [isLoading, load]);

  const show = (next: Part, cursors: string[] = []) => {
    setBefore(cursors);
    setWanted(next);
  };
  const next = page?.nextCursor;
  return (
    <div className="relative">
      <div className="flex min-h-11 flex-wrap items-end gap-x-6">
        {(isAuthenticated ? [null, ""] : [""]).map((choice) => {
          const on = (choice === null) === (part === null);
          return (
            <button
              key={String(choice)}
              type="button"
              aria-pressed={on}
              onClick={() => show(choice)}
              className={cn(switchLook, on ? "border-ember text-bone" : "border-transparent text-bone-muted hover:text-bone")}
            >
              {choice === null ? "Around you" : "From the top"}
            </button>
          );
        })}
        {isAuthenticated && absent && part !== null && (
          <p role="status" className="self-center text-sm text-bone-muted">
            You are not on it
          </p>
        )}
      </div>
      <div className={room} aria-busy={!page && !error}>
        {error ? (
          <DidNotLoad what="The leaderboard" error={error} onRetry={load} />
        ) : page?.items.length === 0 ? (
          <p role="status" className="border-l border-bronze-dim py-2 pl-5 text-bone-muted">
            {part === null ? "You are not on it yet. What you score in the game puts you there." : "Nobody is on it yet."}
          </p>
        ) : (
          <table className="w-full table-fixed border-b border-line">
            <caption className="sr-only">{caption}</caption>
            <thead>
              <tr className="caption text-bone-muted">
                <th scope="col" className={cn(cell, "w-20 pl-4 text-left")}>
                  Rank
                </th>
                <th scope="col" className={cn(cell, "text-left")}>
                  Name
                </th>
                <th scope="col" className={cn(cell, "w-28 pr-4 text-right")}>
                  {counted}
                </th>
              </tr>
            </thead>
            <tbody aria-hidden={!page || undefined}>{page ? <Rows items={page.items} /> : <Blank />}</tbody>
          </table>
        )}
      </div>
      <div className="mt-5 flex h-11 gap-3">
        {part !== null && (
          <>
            <button
              type="button"
              disabled={before.length === 0}
              onClick={() => show(before.at(-1) ?? "", before.slice(0, -1))}
              className={pageLook}
            >
              Higher ranks
            </button>
            <button type="button" disabled={!next} onClick={() => next && show(next, [...before, part])} className={pageLook}>
              Lower ranks
            </button>
          </>
        )}
      </div>
    </div>
  );
}
