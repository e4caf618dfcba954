import type { CSSProperties, Ref } from "react";
import { Button, ButtonLink } from "~/components/ui/button";
import { TextLink } from "~/components/ui/link";
import { RarityBadge } from "~/components/ui/rarity";
import { cn } from "~/lib/cn";
import { plural } from "~/lib/format";
import { Face, shine } from "./card";
import type { Given, Pack, Pull } from "./pull";

interface ResultsProps {
  /** The heading's id. */
  id: string;
  heading: Ref<HTMLHeadingElement>;
  pack: Pack;
  count: number;
  /** Rarest first. */
  pulls: Pull[];
  given: Given;
  keepHref: string;
  verifyHref: (pull: Pull) => string;
  listHref?: ((pull: Pull) => string) | undefined;
  onPlay: () => void;
  onAgain?: (() => void) | undefined;
  againText?: string | undefined;
  onClose: () => void;
}

/** Where what was drawn is, of one card and of several. */
const whereabouts: Record<Given, [one: string, several: string]> = {
  all: ["It is in your inventory already.", "They are in your inventory already."],
  coming: ["It is yours, and on its way to your inventory.", "They are yours, and on their way to your inventory."],
  failed: ["It could not be given yet.", "Not all of them could be given yet."],
};

/** Whether a card is called new: of several alike, the one that the grid shows first. */
function isCalledNew(pulls: readonly Pull[], index: number): boolean {
  const pull = pulls[index];
  const alike = pulls.filter(({ contract, tokenId }) => contract === pull?.contract && tokenId === pull.tokenId);
  return alike[0] === pull && alike.some(({ isNew }) => isNew);
}

/** What an opening gave, as a grid with what can be done with each. */
export function Results({
  id,
  heading,
  pack,
  count,
  pulls,
  given,
  keepHref,
  verifyHref,
  listHref,
  onPlay,
  onAgain,
  againText = "Open another",
  onClose,
}: ResultsProps) {
  const one = pulls.length === 1;
  return (
    <div className="mx-auto w-full max-w-[90rem] px-4 pb-12 pt-8 sm:px-8">
      <header className="grid justify-items-center gap-3 text-center">
        <p className="caption text-bronze">{count > 1 ? `${count} × ${pack.name}` : pack.name}</p>
        <h2 id={id} ref={heading} tabIndex={-1} className="display text-4xl outline-none sm:text-5xl">
          {one ? "Your card" : `Your ${plural(pulls.length, "card")}`}
        </h2>
        <p className="max-w-xl text-bone-muted">{whereabouts[given][one ? 0 : 1]} Nothing is lost when you leave this page.</p>
        <div className="mt-2 flex flex-wrap items-center justify-center gap-3">
          <ButtonLink to={keepHref}>{one ? "Keep it" : "Keep all"}</ButtonLink>
          {onAgain && (
            <Button kind="quiet" onClick={onAgain}>
              {againText}
            </Button>
          )}
          <Button kind="quiet" onClick={onPlay}>
            Play again
          </Button>
          <Button kind="bare" onClick={onClose}>
            Close
          </Button>
        </div>
      </header>
      <ul
        aria-labelledby={id}
        className={cn(
          "mt-9 grid justify-center gap-x-3 gap-y-8 sm:gap-x-5",
          one
            ? "grid-cols-[min(100%,19rem)]"
            : "grid-cols-[repeat(auto-fit,minmax(min(50%_-_0.375rem,13.500rem),13.500rem))] max-sm:grid-cols-2",
        )}
      >
        {pulls.map((pull, index) => (
          <Result
            // biome-ignore lint/suspicious/noArrayIndexKey: a pack may hold the same card twice
            key={index}
            pull={pull}
            isNew={isCalledNew(pulls, index)}
            index={index}
            verify={verifyHref(pull)}
            list={listHref?.(pull)}
          />
        ))}
      </ul>
    </div>
  );
}

function Result({
  pull,
  isNew,
  index,
  verify,
  list,
}: {
  pull: Pull;
  isNew: boolean;
  index: number;
  verify: string;
  list: string | undefined;
}) {
  const { name, rarity, owned, alsoGiven } = pull;
  const style = { "--index": index, "--rim": `var(--color-rarity-${rarity})`, "--shine": shine[rarity] } as CSSProperties;
  return (
    <li className="opening-result flex flex-col" style={style}>
      <div className="opening-picture relative aspect-[3/4] overflow-hidden rounded bg-night-1">
        <Face pull={pull} loading={index < 4 ? "eager" : "lazy"} />
        {isNew && <span className="display absolute left-2 top-2 rounded-sm bg-ember px-2 pb-0.5 pt-1 text-lg text-ember-ink">New</span>}
      </div>
      <RarityBadge rarity={rarity} className="mt-3 text-[0.75rem]" />
      <h3 className="mt-1 min-h-[2.5em] font-bold leading-tight">{name}</h3>
      {/* Both lines are always as high as they can be, so that the actions of a row are level. */}
      <p className="figures mt-1 min-h-[1lh] text-sm text-bone-muted">
        {owned > (isNew ? 1 : 0) && <span className="mr-3">You have {owned.toLocaleString("en")}</span>}
        {alsoGiven && <span className="text-bronze">+ {alsoGiven}</span>}
      </p>
      <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-2">
        {list !== undefined && (
          <ButtonLink to={list} kind="quiet" size="small" aria-label={`List ${name}`}>
            List
          </ButtonLink>
        )}
        <TextLink to={verify} className="py-1 text-sm">
          Verify this pull<span className="sr-only">: {name}</span>
        </TextLink>
      </p>
    </li>
  );
}
