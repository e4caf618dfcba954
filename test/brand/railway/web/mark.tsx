/** The mark of the Night Railway, in the current colour; decorative. */
export function Mark({ size = 32 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 64 64" fill="currentColor" aria-hidden="true">
      <path d="M16 10h32v30H16Zm6 6v12h20V16ZM20 46h24l8 10H12Z" />
    </svg>
  );
}
