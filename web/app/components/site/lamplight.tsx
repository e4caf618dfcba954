import { cn } from "~/lib/cn";
import { useIdle } from "./use-idle";

interface LamplightProps {
  /** Where the lamp is and how far its light reaches, in percent of the picture, and its colour as that of a text: `left-[70%] top-[31%] w-[22%] text-[#ffe3a3]`. */
  className: string;
}

/** Light over a picture that breathes slowly once the page is idle. Stands in a box that has the picture's proportions. */
export function Lamplight({ className }: LamplightProps) {
  const idle = useIdle();
  return (
    <span
      aria-hidden="true"
      className={cn(
        "pointer-events-none absolute aspect-square -translate-x-1/2 -translate-y-1/2 rounded-full",
        "bg-[radial-gradient(closest-side,color-mix(in_oklab,currentColor_26%,transparent),transparent)]",
        idle && "[animation:pulse_6s_ease-in-out_infinite]",
        className,
      )}
    />
  );
}
