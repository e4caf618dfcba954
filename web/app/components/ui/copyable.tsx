import { useEffect, useState } from "react";
import { cn } from "~/lib/cn";
import { short } from "~/lib/format";
import { Drawing } from "./icon";
import { CheckIcon } from "./market-icons";
import { notify } from "./toasts";

/** How long the button says that it has copied, in milliseconds. */
const saidFor = 2_000;

interface CopyIconButtonProps {
  text: string;
  /** What is copied: "address". */
  what: string;
}

/** Copies a text, and says whether it worked. */
export function CopyIconButton({ text, what }: CopyIconButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), saidFor);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      notify("error", "Your browser does not let this page copy", text);
    }
  };
  return (
    // Larger than its line, so that a finger hits it; the line keeps its height.
    <button
      type="button"
      title={`Copy the ${what}`}
      onClick={() => void copy()}
      className="-my-3 inline-grid size-11 shrink-0 place-items-center rounded text-bone-muted hover:text-bone"
    >
      <span className="sr-only">
        Copy the {what} {short(text)}
      </span>
      <span role="status" className="sr-only">
        {copied && "Copied"}
      </span>
      {copied ? (
        <span className="text-good">
          <CheckIcon size={16} />
        </span>
      ) : (
        <Drawing size={16}>
          <path d="M8 8V4h12v12h-4M4 8h12v12H4V8Z" />
        </Drawing>
      )}
    </button>
  );
}

/** An abbreviated address or hash with a button that copies all of it. */
export function Copyable({ text, what, className }: CopyIconButtonProps & { className?: string }) {
  return (
    <span className={cn("inline-flex items-center", className)}>
      <span className="figures" title={text}>
        {short(text)}
      </span>
      <CopyIconButton text={text} what={what} />
    </span>
  );
}
