import type { ComponentProps } from "react";
import { Link } from "react-router";
import { cn } from "~/lib/cn";
import { Spinner } from "./spinner";

type Look = "primary" | "quiet" | "bare";
type Size = "small" | "medium" | "large";

const looks: Record<Look, string> = {
  primary: "bg-ember text-ember-ink hover:bg-ember-bright",
  quiet: "border border-line-strong text-bone hover:border-bronze hover:bg-night-2",
  bare: "text-bone hover:text-ember-bright",
};
const sizes: Record<Size, string> = {
  small: "h-11 min-w-11 px-3 text-lg sm:h-9 sm:px-3.5",
  medium: "h-12 px-5 text-xl",
  large: "h-14 px-7 text-2xl",
};

/** The class of a control that looks like a button: for buttons and important links. */
function look(kind: Look, size: Size, className?: string) {
  return cn(
    "display inline-flex select-none items-center justify-center gap-2.5 whitespace-nowrap rounded leading-none transition-colors",
    "disabled:cursor-not-allowed aria-disabled:cursor-not-allowed disabled:opacity-45",
    looks[kind],
    sizes[size],
    className,
  );
}

interface Props {
  kind?: Look | undefined;
  size?: Size | undefined;
}

interface ButtonProps extends Props, ComponentProps<"button"> {
  /** While true the button shows a busy state, keeps its width and ignores presses; it stays in the tab order. */
  busy?: boolean | undefined;
}

/** A button. `type` is "button" by default. */
export function Button({ kind = "primary", size = "medium", busy = false, className, children, onClick, ...props }: ButtonProps) {
  return (
    <button
      type="button"
      {...props}
      aria-disabled={busy || props["aria-disabled"]}
      aria-busy={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      className={look(kind, size, cn("relative", className))}
    >
      {/* Transparent, not invisible: the text is still the button's name. */}
      <span className={cn("inline-flex items-center gap-2.5", busy && "opacity-0")}>{children}</span>
      {busy && (
        <span className="absolute inset-0 grid place-items-center">
          <Spinner color="currentColor" size={22} />
        </span>
      )}
    </button>
  );
}

/** A link that looks like a button. */
export function ButtonLink({ kind = "primary", size = "medium", className, ...props }: Props & ComponentProps<typeof Link>) {
  return <Link {...props} className={look(kind, size, className)} />;
}
