import type { ReactNode } from "react";

export interface IconProps {
  /** Width and height in pixels. */
  size?: number;
}

/** A line drawing in the current colour. Decorative: the control that contains it has the label. */
export function Drawing({ size = 20, children }: IconProps & { children: ReactNode }) {
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
      {children}
    </svg>
  );
}

export const CloseIcon = (props: IconProps) => (
  <Drawing {...props}>
    <path d="m5 5 14 14M19 5 5 19" />
  </Drawing>
);
export const MenuIcon = (props: IconProps) => (
  <Drawing {...props}>
    <path d="M3 7h18M3 12h18M3 17h18" />
  </Drawing>
);
export const DownIcon = (props: IconProps) => (
  <Drawing {...props}>
    <path d="m6 9 6 6 6-6" />
  </Drawing>
);
export const UserIcon = (props: IconProps) => (
  <Drawing {...props}>
    <path d="M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm-7.5 8.5c.6-3.6 3.6-5.5 7.5-5.5s6.9 1.9 7.5 5.5" />
  </Drawing>
);
