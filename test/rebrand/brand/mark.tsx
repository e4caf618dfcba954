/** A flag. */
export function Mark({ size = 32 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 64 64" fill="currentColor" aria-hidden="true">
      <path d="M12 6h4v52h-4ZM18 8h36l-8 12 8 12H18Z" />
    </svg>
  );
}
