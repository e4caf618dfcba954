import { cn } from "~/lib/cn";
import { useIdle } from "./use-idle";

interface LamplightProps {
  /**
   * The lamp's position and radius, in percent of the picture, and its text colour: `left-[70%] top-[31%] w-[22%]
   * text-[#ffe3a3]`.
   */
  className: string;
}

/** A light over a picture that pulses slowly once the page is idle. Its parent must have the picture's proportions. */
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
