import { type ReactNode, useId, useRef } from "react";

/** The minimum distance between a tooltip and the edges of the page, in pixels. */
const margin = 8;

/**
 * A short explanation that appears on hover and on keyboard focus, above its element and within the page. It is
 * always part of the element's accessible description.
 */
export function Tooltip({ text, children }: { text: string; children: (describedBy: string) => ReactNode }) {
  const id = useId();
  const tip = useRef<HTMLSpanElement>(null);
  /** It is centred above its element, and shifted if it would overflow the page. */
  const keepInside = () => {
    const element = tip.current;
    if (!element) return;
    element.style.translate = "-50%";
    const { left, right } = element.getBoundingClientRect();
    const over = Math.min(0, left - margin) + Math.max(0, right + margin - document.documentElement.clientWidth);
    element.style.translate = `calc(-50% - ${over}px)`;
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only places what CSS shows
    <span className="group/tip relative inline-flex" onMouseEnter={keepInside} onFocus={keepInside}>
      {children(id)}
      <span
        ref={tip}
        role="tooltip"
        id={id}
        className={
          "pointer-events-none absolute bottom-full left-1/2 z-30 mb-2 hidden w-max max-w-56 -translate-x-1/2 " +
          "animate-fade rounded border border-line-strong bg-night-3 px-2.5 py-1.5 text-sm group-focus-within/tip:block " +
          "group-hover/tip:block"
        }
      >
        {text}
      </span>
    </span>
  );
}
