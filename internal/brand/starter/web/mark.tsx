/** Our mark, in the current colour; decorative. */
export function Mark({ size = 32 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 64 64" fill="currentColor" aria-hidden="true">
      <path d="M28 4h8v36h-8ZM16 40h32v6H16Zm12 6h8v14h-8Z" />
    </svg>
  );
}
