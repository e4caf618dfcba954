import { type ReactNode, Suspense } from "react";
import art from "~art/god-labyrinth.svg";

/** The two halves of a page that asks who you are: a god who watches, and the form. */
export function AuthFrame({ title, intro, children }: { title: string; intro: string; children: ReactNode }) {
  return (
    <div className="mx-auto grid grid-cols-1 max-w-[100rem] px-4 sm:px-8 lg:min-h-[calc(100svh-4rem)] lg:grid-cols-[1.15fr_1fr]">
      <div className="relative hidden overflow-hidden border-r border-line lg:block">
        <div className="scale-y absolute inset-y-0 right-0 w-2.5 rotate-180" />
        <img src={art} alt="" width={600} height={800} className="absolute inset-0 size-full object-cover object-[50%_20%]" />
      </div>
      <div className="w-full max-w-md py-14 lg:ml-20 lg:self-center lg:py-20">
        <h1 className="display text-5xl">{title}</h1>
        <p className="mb-9 mt-3 text-lg text-bone-muted">{intro}</p>
        <Suspense fallback={<div className="min-h-100" />}>{children}</Suspense>
      </div>
    </div>
  );
}
