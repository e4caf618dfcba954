import { type ReactNode, useDeferredValue, useEffect, useRef, useState } from "react";
import { inputLook } from "~/components/ui/field";
import { SearchIcon } from "~/components/ui/market-icons";
import { cn } from "~/lib/cn";
import { QuestionQuery } from "./questions";

/** A search field for the questions below it. `children` are the questions and what follows them. */
export function QuestionSearch({ label, children }: { label: string; children: ReactNode }) {
  const [typed, setTyped] = useState("");
  const query = useDeferredValue(typed.trim().toLowerCase());
  const field = useRef<HTMLInputElement>(null);
  // Text may have been entered before hydration.
  useEffect(() => setTyped(field.current?.value ?? ""), []);
  return (
    <>
      <label className="relative mb-12 block max-w-[36rem]">
        <span className="caption mb-1.5 block text-bone-muted">{label}</span>
        <span className="pointer-events-none absolute bottom-0 left-3.5 grid h-12 place-items-center text-bone-muted">
          <SearchIcon />
        </span>
        <input
          ref={field}
          type="search"
          maxLength={100}
          placeholder="Hold, gas, refund, odds…"
          onChange={(event) => setTyped(event.target.value)}
          className={cn(inputLook, "h-12 pl-11")}
        />
      </label>
      <QuestionQuery value={query}>{children}</QuestionQuery>
    </>
  );
}
