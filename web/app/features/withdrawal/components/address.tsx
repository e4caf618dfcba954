import { useState } from "react";
import { Button } from "~/components/ui/button";
import { cn } from "~/lib/cn";
import { groupsOf } from "../address";

/** A whole address in groups of four characters. What differs from the address `against` is underlined. */
export function WholeAddress({ address, against, className }: { address: string; against?: string | undefined; className?: string }) {
  return (
    // Inline and without spaces in between, so that it is copied and read out whole.
    <span className={cn("figures block", className)}>
      {groupsOf(address, against).map((runs) => (
        <span key={runs[0]?.at} className={cn("mr-1 inline-block", runs[0]?.at ? "min-w-[2.4em]" : "min-w-[1.5em] text-bone-muted")}>
          {runs.map(({ at, text, differs }) => (
            <span key={at} className={differs ? "font-bold text-bad underline decoration-2 underline-offset-4" : undefined}>
              {text}
            </span>
          ))}
        </span>
      ))}
    </span>
  );
}

/** Copies a text, and says whether it worked. */
export function CopyButton({ text, children }: { text: string; children: string }) {
  const [said, setSaid] = useState({ done: "", problem: "" });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid({ done: "Copied.", problem: "" });
    } catch {
      setSaid({ done: "", problem: "Your browser does not let this page copy. Select the address and copy it yourself." });
    }
  };
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
      <Button kind="quiet" onClick={() => void copy()}>
        {children}
      </Button>
      <p role="status" className="text-good">
        {said.done}
      </p>
      <p role="alert" className="text-bad empty:hidden">
        {said.problem}
      </p>
    </div>
  );
}
