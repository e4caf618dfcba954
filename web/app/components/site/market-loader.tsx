import { useEffect, useRef } from "react";
import clip from "./market-loop.mp4";
import still from "./market-still.webp";

/**
 * The marketplace's full-page loader: a rotating star chart, over everything else. With reduced motion it is a still,
 * and no clip is loaded.
 */
export function MarketLoader() {
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    // A browser in power-saving mode may refuse to play; then the still stays.
    video.current?.play().catch(() => {});
  }, []);
  return (
    <div role="status" aria-label="Loading" className="fixed inset-0 z-20 grid place-items-center bg-night">
      <h1 className="sr-only">Loading the market</h1>
      <video
        ref={video}
        src={clip}
        poster={still}
        width={640}
        height={640}
        preload="none"
        muted
        loop
        playsInline
        aria-hidden="true"
        tabIndex={-1}
        className="size-[min(78vmin,40rem)] [mask:radial-gradient(circle,#000_64%,transparent_71%)]"
      />
    </div>
  );
}
