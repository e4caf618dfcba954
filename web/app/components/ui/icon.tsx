import type { ReactNode } from "react";

const drawings = {
  cart: <path d="M3 4h3l2.4 11.2h10.2L21 7.5H7M9.5 19.5h.01M17.5 19.5h.01" />,
  close: <path d="m5 5 14 14M19 5 5 19" />,
  menu: <path d="M3 7h18M3 12h18M3 17h18" />,
  down: <path d="m6 9 6 6 6-6" />,
  right: <path d="M4 12h15m-6-6 6 6-6 6" />,
  search: <path d="m20 20-4.6-4.6M10.5 17a6.5 6.5 0 1 1 0-13 6.5 6.5 0 0 1 0 13Z" />,
  filter: <path d="M3 6h18M7 12h10M10 18h4" />,
  warning: <path d="M12 4 2.5 20h19L12 4Zm0 6v4.5m0 2.7v.1" />,
  check: <path d="m4 12.5 5.2 5L20 6.5" />,
  clock: <path d="M12 7v5l3.2 2M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z" />,
  lock: <path d="M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3" />,
  trash: <path d="M4 7h16M9 7V4h6v3M6.5 7l1 13h9l1-13" />,
  wallet: <path d="M3 6.5h15v3M3 6.5v12h18v-9H5.5A2.5 2.5 0 0 1 3 7M17 14h.01" />,
  user: <path d="M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm-7.5 8.5c.6-3.6 3.6-5.5 7.5-5.5s6.9 1.9 7.5 5.5" />,
} satisfies Record<string, ReactNode>;

export type IconName = keyof typeof drawings;

/** A line drawing in the current colour. Decorative: the control that holds it carries the name. */
export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="square"
      aria-hidden="true"
      className="shrink-0"
    >
      {drawings[name]}
    </svg>
  );
}
