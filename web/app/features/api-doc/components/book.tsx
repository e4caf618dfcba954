import { type KeyboardEvent, useDeferredValue, useEffect, useId, useMemo, useRef, useState } from "react";
import { inputLook } from "~/components/ui/field";
import { cn } from "~/lib/cn";
import { type Contract, type Group, groupsOf, search } from "../contract";
import { Call } from "./call";

const typedInto = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable]") !== null;

/** Focuses the field when "/" is pressed outside of any input. */
function useSlash(field: React.RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const focus = (event: globalThis.KeyboardEvent) => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || typedInto(event.target)) return;
      event.preventDefault();
      field.current?.focus();
    };
    addEventListener("keydown", focus);
    return () => removeEventListener("keydown", focus);
  }, [field]);
}

/** Scrolls to the call in the address's fragment: it did not exist when the browser looked for it. */
function useFragment(): void {
  useEffect(() => {
    const call = document.getElementById(location.hash.slice(1));
    call?.scrollIntoView();
    call?.focus({ preventScroll: true });
  }, []);
}

function Contents({ groups }: { groups: Group[] }) {
  return (
    <nav aria-label="Calls" className="grid gap-6">
      {groups.map(({ tag, calls }) => (
        <div key={tag}>
          <p className="caption text-bronze">{tag}</p>
          <ul className="mt-2 grid gap-1 border-l border-line pl-3 text-sm">
            {calls.map(({ operationId, summary }) => (
              <li key={operationId}>
                <a href={`#${operationId}`} className="text-bone-muted hover:text-ember-bright">
                  {summary ?? operationId}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

/** The whole contract: a search, a table of contents, every call. */
export function Book({ contract }: { contract: Contract }) {
  const [typed, setTyped] = useState("");
  const query = useDeferredValue(typed);
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  useSlash(field);
  useFragment();
  const all = useMemo(() => groupsOf(contract), [contract]);
  const groups = useMemo(() => search(all, query), [all, query]);
  const count = (list: Group[]) => list.reduce((sum, { calls }) => sum + calls.length, 0);
  const clear = (event: KeyboardEvent) => event.key === "Escape" && setTyped("");
  return (
    <div className="mx-auto grid max-w-[100rem] grid-cols-1 gap-x-16 gap-y-10 px-4 pt-12 sm:px-8 lg:grid-cols-[1fr_3fr]">
      <aside className="lg:sticky lg:top-20 lg:max-h-[calc(100svh-6rem)] lg:self-start lg:overflow-y-auto lg:pb-8">
        <label htmlFor={id} className="caption text-bone-muted">
          Search the calls
        </label>
        <input
          ref={field}
          id={id}
          type="search"
          value={typed}
          maxLength={100}
          placeholder="cart, order, POST…"
          aria-keyshortcuts="/"
          aria-describedby={`${id}-count`}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={clear}
          className={cn(inputLook, "mt-1.5 h-12")}
        />
        <p id={`${id}-count`} role="status" className="figures mb-8 mt-2 text-sm text-bone-muted">
          {query.trim() ? `${count(groups)} of ${count(all)} calls` : `${count(all)} calls. Press / to search.`}
        </p>
        <div className="max-lg:hidden">
          <Contents groups={groups} />
        </div>
      </aside>
      <div className="min-w-0">
        {groups.map(({ tag, calls }) => (
          <section key={tag} aria-label={tag} className="pb-10">
            <h2 className="display pb-8 text-4xl">{tag}</h2>
            {calls.map((call) => (
              <Call key={call.operationId} contract={contract} call={call} />
            ))}
          </section>
        ))}
        {groups.length === 0 && <p className="text-lg text-bone-muted">No call has all of these words.</p>}
      </div>
    </div>
  );
}
