/** The mark: a temple front whose gable is a constellation. Drawn in the current colour; decorative. */
export function Mark({ size = 32 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" fill="none" stroke="currentColor" strokeWidth="1.5" aria-hidden="true">
      <path d="M4 12 16 4l12 8M4 12h24M7 12v13M13 12v13M19 12v13M25 12v13M3.5 25.5h25M2 28.5h28" />
      <g fill="currentColor" stroke="none">
        <circle cx="16" cy="4" r="2.2" />
        <circle cx="4" cy="12" r="1.7" />
        <circle cx="28" cy="12" r="1.7" />
      </g>
    </svg>
  );
}
