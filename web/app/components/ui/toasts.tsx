import toast, { useToaster } from "react-hot-toast/headless";
import { cn } from "~/lib/cn";
import { Icon, type IconName } from "./icon";
import { Spinner } from "./spinner";

/** Space between two toasts, in pixels. */
const gap = 8;

const icons: Record<string, { name: IconName; className: string } | undefined> = {
  success: { name: "check", className: "text-good" },
  error: { name: "warning", className: "text-bad" },
};

/**
 * Shows a toast, if it has a message. Durations, the limit of 20 and the removal a second after dismissal are those of
 * react-hot-toast; its headless form is used because its own styles would need an open content security policy.
 */
export function notify(kind: "blank" | "success" | "error" | "loading", message: string | null | undefined): string | undefined {
  if (!message) return undefined;
  return kind === "blank" ? toast(message) : toast[kind](message);
}

/** Where toasts appear: bottom centre, newest nearest to the edge. Hovering keeps them. */
export function Toaster() {
  const { toasts, handlers } = useToaster();
  return (
    <section
      aria-label="Notices"
      className="pointer-events-none fixed inset-x-4 bottom-4 z-[60]"
      onMouseEnter={handlers.startPause}
      onMouseLeave={handlers.endPause}
    >
      {toasts.map((t) => {
        const icon = icons[t.type];
        const offset = handlers.calculateOffset(t, { reverseOrder: false, gutter: gap, defaultPosition: "bottom-center" });
        return (
          <div
            key={t.id}
            {...t.ariaProps}
            ref={(element) => {
              if (element && t.height === undefined) handlers.updateHeight(t.id, element.getBoundingClientRect().height);
            }}
            style={{ transform: `translateY(${-offset}px)` }}
            className={cn(
              "absolute inset-x-0 bottom-0 flex justify-center transition-[transform,opacity] duration-200",
              t.visible ? "opacity-100" : "opacity-0",
            )}
          >
            <div className="pointer-events-auto flex max-w-[350px] items-center gap-3 rounded border border-line-strong bg-night-3 px-4 py-3">
              {icon && (
                <span className={icon.className}>
                  <Icon name={icon.name} />
                </span>
              )}
              {t.type === "loading" && <Spinner color="var(--color-bronze)" size={20} />}
              <span>{typeof t.message === "function" ? t.message(t) : t.message}</span>
              <button
                type="button"
                aria-label="Dismiss"
                className="-mr-2 grid size-8 shrink-0 place-items-center rounded text-bone-muted hover:text-bone"
                onClick={() => toast.dismiss(t.id)}
              >
                <Icon name="close" size={16} />
              </button>
            </div>
          </div>
        );
      })}
    </section>
  );
}
