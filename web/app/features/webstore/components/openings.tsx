import { useEffect, useRef, useState } from "react";
import { Button } from "~/components/ui/button";
import { Waiting } from "~/features/packs/components/waiting";
import { packName, shopPicture } from "~/features/packs/draw/kinds";
import { OpeningScene, type Pack } from "~/features/packs/opening/scene";
import { type Amounts, givenOf, isSealed, useOwned, usePulls } from "~/features/packs/openings";
import { mostAtOnce } from "~/features/packs/products";
import type { Reward } from "~/features/reward/queries";
import { cn } from "~/lib/cn";
import { paths } from "~/lib/paths";
import { sceneHeight } from "../texts";

const foils: Record<string, Pack["kind"]> = { "destiny-bronze": "general", "destiny-silver": "avatar", "destiny-gold": "god" };
const packOf = (kind: string): Pack => ({ kind: foils[kind] ?? "general", name: packName(kind), image: shopPicture(kind) });

/** Packs of one kind that are opened together. */
interface Group {
  /** The id of the first. */
  id: string;
  kind: string;
  packs: Reward[];
}

/** Groups packs by kind, with as many in a group as the scene can show. */
function groupsOf(packs: Reward[]): Group[] {
  const kinds = [...new Set(packs.flatMap(({ opening }) => opening?.kind ?? []))];
  return kinds.flatMap((kind) => {
    const alike = packs.filter(({ opening }) => opening?.kind === kind);
    return Array.from({ length: Math.ceil(alike.length / mostAtOnce) }, (_, index): Group => {
      const some = alike.slice(index * mostAtOnce, (index + 1) * mostAtOnce);
      return { id: some[0]?.id ?? "", kind, packs: some };
    });
  });
}

const nameOf = ({ kind, packs }: Group) => (packs.length > 1 ? `${packs.length} × ${packName(kind)}` : packName(kind));

interface OpeningsProps {
  /** The packs that are drawn or will be, of one order. */
  packs: Reward[];
  /** Whether the player has not seen what a pack held. */
  isVeiled: (pack: Reward) => boolean;
  /** Called with packs whose cards are shown. */
  onShown: (packs: Reward[]) => void;
}

/** The opening of an order's packs: those of a kind together, the kinds one after another. */
export default function Openings({ packs, isVeiled, onShown }: OpeningsProps) {
  const [chosen, setChosen] = useState<string>();
  const [closed, setClosed] = useState(false);
  const reopen = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (closed) reopen.current?.focus();
  }, [closed]);
  const groups = groupsOf(packs);
  const group = groups.find(({ id }) => id === chosen) ?? groups[0];
  if (!group) return null;
  if (closed) {
    return (
      <Button ref={reopen} kind="quiet" className="mt-6" onClick={() => setClosed(false)}>
        Show the opening
      </Button>
    );
  }
  const next = groups[groups.indexOf(group) + 1];
  return (
    <div className="-mx-4 mt-4 sm:mx-0">
      {groups.length > 1 && (
        <fieldset className="mb-3 flex flex-wrap gap-2.5 px-4 sm:px-0">
          <legend className="sr-only">Packs of this order</legend>
          {groups.map((one) => (
            <Button
              key={one.id}
              kind="quiet"
              aria-pressed={one === group}
              onClick={() => setChosen(one.id)}
              className="aria-pressed:border-ember"
            >
              {nameOf(one)}
            </Button>
          ))}
        </fieldset>
      )}
      <Scene
        key={group.id}
        {...{ group, next }}
        isVeiled={group.packs.some(isVeiled)}
        onShown={() => onShown(group.packs)}
        onNext={(id) => setChosen(id)}
        onClose={() => {
          onShown(group.packs);
          setClosed(true);
        }}
      />
    </div>
  );
}

interface SceneProps {
  group: Group;
  /** The packs that come after them. */
  next: Group | undefined;
  isVeiled: boolean;
  onShown: () => void;
  onNext: (id: string) => void;
  onClose: () => void;
}

function Scene({ group: { kind, packs }, next, isVeiled, onShown, onNext, onClose }: SceneProps) {
  const sealed = packs.some(isSealed);
  const owned = useOwned();
  const [before, setBefore] = useState<Amounts>();
  const untouched = packs.every(isSealed);
  useEffect(() => {
    if (untouched) setBefore(owned);
  }, [untouched, owned]);
  const pulls = usePulls(packs, !sealed, before);
  return (
    <OpeningScene
      pack={packOf(kind)}
      count={packs.length}
      pulls={pulls}
      sealed={isVeiled}
      given={givenOf(packs)}
      status={<Waiting burning={undefined} openings={packs} />}
      onShown={onShown}
      onClose={onClose}
      onAgain={next && (() => onNext(next.id))}
      againText={next && `Next: ${nameOf(next)}`}
      verifyHref={({ openingId }) => paths.opening(openingId)}
      keepHref={paths.inventory}
      className={cn(sceneHeight, "[--pack:clamp(8.5rem,min(44vw,22svh),13rem)]")}
    />
  );
}
