import { type ReactNode, Suspense } from "react";
import { signIn as labyrinth } from "#brand/pictures";

interface AuthFrameProps {
  title: string;
  intro: string;
  /** The watching god: an image of 600 × 600 units. */
  picture?: string;
  children: ReactNode;
}

/** The layout of the sign-in pages: a watching god, and the form. On a phone the god is a band above it. */
export function AuthFrame({ title, intro, picture = labyrinth, children }: AuthFrameProps) {
  return (
    <div className="mx-auto grid grid-cols-1 max-w-[100rem] lg:min-h-[calc(100svh-4rem)] lg:grid-cols-[1.15fr_1fr] lg:px-8">
      <div className="relative h-52 overflow-hidden sm:h-72 lg:hidden">
        <img src={picture} alt="" width={600} height={600} className="size-full object-cover object-[50%_38%]" />
        <div className="absolute inset-0 bg-[linear-gradient(0deg,var(--color-night),transparent_36%)]" />
      </div>
      <div className="relative overflow-hidden border-r border-line max-lg:hidden">
        <div className="scale-y absolute inset-y-0 right-0 z-10 w-2.5 rotate-180" />
        <img src={picture} alt="" width={600} height={600} className="absolute inset-0 size-full object-cover" />
      </div>
      <div className="w-full max-w-md px-4 pb-14 pt-4 sm:px-8 lg:ml-20 lg:self-center lg:px-0 lg:py-20">
        <h1 className="display text-5xl">{title}</h1>
        <p className="mb-9 mt-3 text-lg text-bone-muted">{intro}</p>
        <Suspense fallback={<div className="min-h-100" />}>{children}</Suspense>
      </div>
    </div>
  );
}
