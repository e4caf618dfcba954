import { type ReactNode, useEffect, useRef } from "react";

/** Takes the place of a form that was sent, and the focus with it. */
export function Sent({ title, children }: { title: string; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <div ref={box} tabIndex={-1} role="status" className="border-l border-good py-1 pl-6 outline-none">
      <p className="display text-3xl">{title}</p>
      <p className="mt-2 text-bone-muted">{children}</p>
    </div>
  );
}
