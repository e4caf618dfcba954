import { type ReactNode, Suspense } from "react";
import labyrinth from "~art/gaze-labyrinth.svg";

interface AuthFrameProps {
  title: string;
  intro: string;
  /** Who watches: a picture of 600 × 600 units. */
  picture?: string;
  children: ReactNode;
}

/** Which part of the picture each pane of the band shows. */
const panes = ["left-0", "-left-full", "-left-[200%]", "-left-[300%]"];

/** The two parts of a page that asks who you are: a god who watches, and the form. On a phone the god is a band above it. */
export function AuthFrame({ title, intro, picture = labyrinth, children }: AuthFrameProps) {
  return (
    <div className="mx-auto grid grid-cols-1 max-w-[100rem] lg:min-h-[calc(100svh-4rem)] lg:grid-cols-[1.15fr_1fr] lg:px-8">
      {/* In panes none of which is larger than the heading: what browsers take for the page's main content is its words. */}
      <div className="grid h-36 grid-cols-4 gap-0.5 border-b border-line sm:h-56 lg:hidden">
        {panes.map((pane) => (
          <div key={pane} className="relative overflow-hidden">
            <img
              src={picture}
              alt=""
              width={600}
              height={600}
              className={`absolute inset-y-0 h-full w-[400%] max-w-none object-cover object-[50%_41%] ${pane}`}
            />
          </div>
        ))}
      </div>
      <div className="relative overflow-hidden border-r border-line max-lg:hidden">
        <div className="scale-y absolute inset-y-0 right-0 z-10 w-2.5 rotate-180" />
        <img src={picture} alt="" width={600} height={600} className="absolute inset-0 size-full object-cover" />
      </div>
      <div className="w-full max-w-md px-4 pb-14 pt-9 sm:px-8 lg:ml-20 lg:self-center lg:px-0 lg:py-20">
        <h1 className="display text-5xl">{title}</h1>
        <p className="mb-9 mt-3 text-lg text-bone-muted">{intro}</p>
        <Suspense fallback={<div className="min-h-100" />}>{children}</Suspense>
      </div>
    </div>
  );
}
