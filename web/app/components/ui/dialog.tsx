import { Dialog as Radix } from "radix-ui";
import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { cn } from "~/lib/cn";
import { CloseIcon } from "./icon";

/**
 * The overlay. While it is there, the page has no scrollbar; the width of the one it had is kept as `--scrollbar`, so that
 * the page does not move and the drawer reaches the edge.
 */
function Overlay({ kind }: { kind: string }) {
  const [width] = useState(() => (document.querySelector("[data-modal]") ? undefined : innerWidth - document.documentElement.clientWidth));
  useLayoutEffect(() => {
    if (width !== undefined) document.documentElement.style.setProperty("--scrollbar", `${width}px`);
  }, [width]);
  return <div data-modal={kind} className="fixed inset-0 z-40 animate-fade bg-black/65" />;
}

interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** One sentence under the title; also read out when the dialog opens. */
  description?: string | undefined;
  children: ReactNode;
  /** "drawer" slides in from the right edge at full height; "dialog" is centred. */
  kind?: "dialog" | "drawer";
}

/**
 * A modal dialog or drawer: focus is trapped, Escape and a press outside close it, and focus returns to where it was.
 *
 * The overlay is our own element: Radix's overlay adds a style element to lock the page's scrolling, which the
 * content security policy forbids. `data-modal` locks it from the style sheet.
 */
export function Dialog({ open, onOpenChange, title, description, children, kind = "dialog" }: DialogProps) {
  const opener = useRef<Element | null>(null);
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Overlay kind={kind} />
        <Radix.Content
          {...(description ? {} : { "aria-describedby": undefined })}
          onOpenAutoFocus={() => {
            opener.current = document.activeElement;
          }}
          // By default Radix returns the focus to its own trigger, which these dialogs don't have.
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (opener.current instanceof HTMLElement && opener.current.isConnected) opener.current.focus();
          }}
          className={cn(
            "fixed z-50 flex flex-col bg-night-1 outline-none",
            kind === "drawer"
              ? "inset-y-0 right-0 w-full max-w-md animate-panel-right border-line-strong sm:border-l"
              : "inset-x-4 top-1/2 mx-auto max-h-[calc(100svh-2rem)] max-w-lg -translate-y-1/2 rounded border border-line-strong",
          )}
        >
          <header className="flex items-start justify-between gap-4 border-b border-line px-6 pb-4 pt-5">
            <div className="min-w-0 [overflow-wrap:anywhere]">
              <Radix.Title className="display text-3xl">{title}</Radix.Title>
              {description && <Radix.Description className="mt-1.5 text-sm text-bone-muted">{description}</Radix.Description>}
            </div>
            <Radix.Close className="-mr-2 grid size-11 shrink-0 place-items-center rounded hover:bg-night-3" aria-label="Close">
              <CloseIcon />
            </Radix.Close>
          </header>
          <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
