/** The mark: a temple front with a star in it. Drawn in the current colour, the star in the accent; decorative. */
export function Mark({ size = 32 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="6 6 52 52" fill="currentColor" aria-hidden="true">
      <path d="m32 7 25 15.5v4H7v-4ZM11 30h8v19h-8Zm34 0h8v19h-8ZM7 52h50v5H7Z" />
      <path d="m32 28 2.9 8.6 8.6 2.9-8.6 2.9-2.9 8.6-2.9-8.6-8.6-2.9 8.6-2.9Z" fill="var(--color-ember)" />
    </svg>
  );
}
