import { useEffect, useState } from "react";
import { pageMeta } from "~/components/site/page-meta";
import type { Rarity } from "~/components/ui/rarity";
import { CompactSelect } from "~/components/ui/select";
import { OpeningScene, type Pack, type Pull } from "~/features/packs/opening/scene";
import { useSearchParams } from "~/lib/navigation";
import { paths } from "~/lib/paths";
import chest from "~art/chest.svg";
import crown from "~art/crown.svg";
import god from "~art/god-thunder.svg";
import secondGod from "~art/god-thunder-2.svg";
import bronzeGod from "~art/god-thunder-5.svg";
import helm from "~art/helm.svg";
import immortal from "~art/immortal.svg";
import pass from "~art/pass-community.svg";
import pig from "~art/piggy-bank.svg";
import shield from "~art/shield.svg";
import sword from "~art/sword.svg";

export const meta = () => pageMeta("Opening", "The opening of packs with made-up cards, for those who build pages.");

const cards: [name: string, image: string, rarity: Rarity][] = [
  ["Periklea the Lucky", immortal, "rare"],
  ["Kingmaker", sword, "legendary"],
  ["Keraunax, fifth casting", bronzeGod, "epic"],
  ["VIP Piggy Bank", pig, "legendary"],
  ["Pass of the community", pass, "common"],
  ["Helm of the Falling Star", helm, "legendary"],
  ["Keraunax, the Storm Anvil", god, "mythic"],
  ["Shield of the Unsetting Sun", shield, "uncommon"],
  ["Crown of Destiny", crown, "mythic"],
  ["Keraunax, second casting", secondGod, "common"],
];

const packs: Record<Pack["kind"], Pack> = {
  general: { kind: "general", name: "General KOD Pack", image: chest },
  avatar: { kind: "avatar", name: "Avatar KOD Pack", image: chest },
  god: { kind: "god", name: "God KOD Pack", image: chest },
};

function draw(count: number): Pull[] {
  return Array.from({ length: count }, (_, i) => {
    const [name, image, rarity] = cards[(i * 7 + 6) % cards.length] ?? ["", "", "common"];
    return {
      openingId: `opening-${i}`,
      contract: "0x01",
      tokenId: String(i),
      name,
      image,
      rarity,
      isNew: i % 3 === 0,
      owned: (i % 3) * (i + 1) + 1,
      ...(i % 4 === 1 && { alsoGiven: "25 fate" }),
    };
  });
}

const choices = (...values: (string | number)[]) => values.map((value) => ({ value: String(value), label: String(value) }));

/** The scene with every kind and number of packs, drawn after a while or before. Part of the development build only. */
export default function Opening() {
  const [search, setSearch] = useSearchParams({ kind: "god", count: "5", after: "4" });
  const [round, setRound] = useState(0);
  const [closed, setClosed] = useState(false);
  const choose = (name: string) => (value: string) =>
    setSearch((before) => ({ ...Object.fromEntries(before), [name]: value }), { replace: true });
  const { kind = "god", count = "5", after = "4" } = Object.fromEntries(search);
  return (
    <>
      <h1 className="sr-only">Opening</h1>
      {closed ? (
        <p className="p-8">Closed.</p>
      ) : (
        <Scene
          key={[kind, count, after, round].join()}
          kind={kind as Pack["kind"]}
          count={Number(count)}
          after={Number(after)}
          onAgain={() => setRound(round + 1)}
          onClose={() => setClosed(true)}
        />
      )}
      <div className="flex flex-wrap gap-4 border-t border-line p-4">
        <CompactSelect label="Kind" value={kind} options={choices("general", "avatar", "god")} onChange={choose("kind")} className="w-40" />
        <CompactSelect label="Packs" value={count} options={choices(1, 2, 5, 12, 20)} onChange={choose("count")} className="w-40" />
        <CompactSelect label="Drawn after seconds" value={after} options={choices(0, 4, 20)} onChange={choose("after")} className="w-40" />
      </div>
    </>
  );
}

interface SceneProps {
  kind: Pack["kind"];
  count: number;
  /** Seconds; 0 for drawn before the page was opened. */
  after: number;
  onAgain: () => void;
  onClose: () => void;
}

function Scene({ kind, count, after, onAgain, onClose }: SceneProps) {
  const [pulls, setPulls] = useState(() => (after > 0 ? null : draw(count)));
  useEffect(() => {
    const arrive = () => setPulls((before) => before ?? draw(count));
    const timer = setTimeout(arrive, after * 1000);
    addEventListener("dev-draw", arrive);
    return () => {
      clearTimeout(timer);
      removeEventListener("dev-draw", arrive);
    };
  }, [after, count]);
  return (
    <OpeningScene
      pack={packs[kind]}
      count={count}
      pulls={pulls}
      status={`The draw uses round 4,242 of the beacon, in about ${after} seconds.`}
      onClose={onClose}
      onAgain={onAgain}
      verifyHref={({ openingId }) => `/dev/opening?verify=${openingId}`}
      listHref={({ contract, tokenId }) => paths.item(contract, tokenId)}
      keepHref={paths.inventory}
    />
  );
}
