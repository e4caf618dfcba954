import { type CSSProperties, type ReactElement, type ReactNode, useEffect } from "react";
import { createRoot, type Root } from "react-dom/client";
import toast, { useToaster } from "react-hot-toast/headless";
import { cn } from "~/lib/cn";
import { plural } from "~/lib/format";
import { CloseIcon } from "./icon";
import { CheckIcon, WarningIcon } from "./market-icons";
import { Spinner } from "./spinner";

/** Space between two toasts, in pixels. */
const gap = 8;

const icons: Record<string, ReactNode> = {
  success: (
    <span className="text-good">
      <CheckIcon />
    </span>
  ),
  error: (
    <span className="text-bad">
      <WarningIcon />
    </span>
  ),
  loading: <Spinner color="var(--color-bronze)" size={20} />,
};

/** A message with a second line that says why, or what to do. */
function Lines({ message, detail }: { message: string; detail: string }) {
  return (
    <span>
      <span className="block">{message}</span>
      <span className="block text-sm text-bone-muted">{detail}</span>
    </span>
  );
}

/**
 * Shows a toast, if it has a message. Durations, the limit of 20 and the removal a second after dismissal are those
 * of react-hot-toast; its headless form is used because its own styles would need a looser content security policy.
 */
export function notify(
  kind: "blank" | "success" | "error" | "loading",
  message: string | null | undefined,
  detail?: string,
): string | undefined {
  if (!message) return undefined;
  const content = detail ? <Lines message={message} detail={detail} /> : message;
  return kind === "blank" ? toast(content) : toast[kind](content);
}

/** The id of the toast that shows what was added to the cart: there is only one, with the cart's current size. */
const held = "held";

interface Held {
  imageUrl: string;
  title: string;
  count?: number;
  total: number;
  /** A button that leads to the cart. */
  action?: ReactNode;
}

/** Shows what was added to the cart, and the cart's current size. */
export function notifyHeld({ imageUrl, title, count = 1, total, action }: Held): void {
  toast.custom(
    <span className="flex items-center gap-3">
      <img src={imageUrl} alt="" width={36} height={48} className="rounded-sm" />
      <Lines
        message={count > 1 ? `${count} × ${title} are held for you` : `${title} is held for you`}
        detail={`${plural(total, "item")} in your cart`}
      />
      {action}
    </span>,
    { id: held },
  );
}

/** Dismisses the toast of {@link notifyHeld} where the cart itself is visible. */
export function takeBackHeld(): void {
  toast.dismiss(held);
}

/** Shows a toast that stays until it is dismissed, by its id or by the player. */
export function notifyUntil(id: string, content: ReactElement): void {
  toast.custom(content, { id, duration: Number.POSITIVE_INFINITY });
}

/** The number of mounted toasters, and the container for a page without one. */
let places = 0;
let ownPlace: { root: Root; element: HTMLElement } | undefined;

/** The same as {@link notify}, also on a page without a toaster: one is mounted there until such a page opens. */
export function notifyAnywhere(...what: Parameters<typeof notify>): void {
  notify(...what);
  if (places || ownPlace) return;
  const element = document.body.appendChild(document.createElement("div"));
  ownPlace = { root: createRoot(element), element };
  ownPlace.root.render(<Notices />);
}

/** Dismisses a toast. */
export function takeBack(id: string): void {
  toast.dismiss(id);
}

/** The place of toasts on a page. */
export function Toaster() {
  useEffect(() => {
    const before = ownPlace;
    ownPlace = undefined;
    // Not during React's rendering.
    queueMicrotask(() => {
      before?.root.unmount();
      before?.element.remove();
    });
    places++;
    return () => {
      places--;
    };
  }, []);
  return <Notices />;
}

/**
 * The toasts: bottom centre, on phones too, newest nearest to the edge; and above the buttons at the bottom of an open
 * drawer. Presses go through them to what is below; only their own controls take them. They end by their time alone: a
 * pointer that rests where one appears is about to press what is below.
 */
function Notices() {
  const { toasts, handlers } = useToaster();
  return (
    // A separate live region, so that a dialog which hides the rest of the page from screen readers does not hide it.
    <section aria-label="Notices" aria-live="polite" className="toasts pointer-events-none fixed inset-x-4 z-[60]">
      {toasts.map((t) => {
        const offset = handlers.calculateOffset(t, { reverseOrder: false, gutter: gap, defaultPosition: "bottom-center" });
        return (
          <div
            key={t.id}
            {...t.ariaProps}
            ref={(element) => {
              if (element && t.height === undefined) handlers.updateHeight(t.id, element.getBoundingClientRect().height);
            }}
            style={{ "--offset": `${offset}px` } as CSSProperties}
            className={cn(
              "absolute inset-x-0 flex justify-center transition-[translate,opacity] duration-200",
              t.visible ? "opacity-100" : "opacity-0",
            )}
          >
            <div
              className={cn(
                "flex max-w-[350px] items-center gap-3 rounded border border-line-strong bg-night-3 px-4 py-3",
                t.visible && "[&_:is(a,button)]:pointer-events-auto",
              )}
            >
              {icons[t.type]}
              <span>{typeof t.message === "function" ? t.message(t) : t.message}</span>
              <button
                type="button"
                aria-label="Dismiss"
                className="-mr-3 grid size-11 shrink-0 place-items-center rounded text-bone-muted hover:text-bone"
                onClick={() => toast.dismiss(t.id)}
              >
                <CloseIcon size={16} />
              </button>
            </div>
          </div>
        );
      })}
    </section>
  );
}
