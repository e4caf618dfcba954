interface SpinnerProps {
  /** Any CSS colour. */
  color?: string;
  /** Width and height in pixels. */
  size?: number;
}

/** A round loading indicator, announced as loading. */
export function Spinner({ color = "black", size = 100 }: SpinnerProps) {
  return (
    <svg
      role="status"
      aria-label="Loading"
      width={size}
      height={size}
      viewBox="0 0 50 50"
      fill="none"
      stroke={color}
      className="animate-spin"
    >
      <circle cx="25" cy="25" r="20" strokeWidth="3" opacity="0.2" />
      <path d="M25 5a20 20 0 0 1 20 20" strokeWidth="3" strokeLinecap="round" />
    </svg>
  );
}
