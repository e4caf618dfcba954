import { PackPicture } from "~/features/packs/components/pack-picture";
import { packName, shopPicture } from "~/features/packs/draw/kinds";
import { CurrencyPicture, Jar, Purse } from "~/features/reward/components/currency-picture";
import type { Reward } from "~/features/reward/queries";
import { cn } from "~/lib/cn";
import { type Product, useUsdc, type Variation } from "../queries";
import { isUsdc } from "../texts";

/** Coins in piles, scaled by `size`: USDC. */
function Coins({ size }: { size: number }) {
  const pile = (x: number, coins: number) => (
    <path
      d={Array.from(
        { length: coins },
        (_, index) => `M${x - 32} ${196 - index * 17}v9a32 11 0 0 0 64 0v-9a32 11 0 1 0-64 0Zm0 0a32 11 0 0 0 64 0`,
      ).join("")}
      fill="#c9d6e2"
    />
  );
  return (
    <svg viewBox="0 0 200 220" fill="none" strokeLinejoin="round" strokeLinecap="round" aria-hidden="true" className="h-full w-full">
      <g transform={`translate(${100 - 100 * size} ${218 - 218 * size}) scale(${size})`} stroke="#070c0e" strokeWidth="5">
        {pile(46, 3)}
        {pile(154, 5)}
        <circle cx="98" cy="138" r="66" fill="#2f6fb4" />
        <circle cx="98" cy="138" r="52" stroke="#cfe3f7" strokeWidth="4" />
        <path
          d="M116 116c-3-8-10-12-18-12-11 0-19 6-19 16 0 22 39 11 39 34 0 10-9 17-20 17-10 0-18-5-21-13M98 92v12m0 67v13"
          stroke="#f3f7fb"
          strokeWidth="8"
        />
      </g>
    </svg>
  );
}

/** A KOD pack, or three of them. */
function KodPack({ kind, image, several }: { kind: string; image: string; several: boolean }) {
  const pack = { kind: kind === "avatar" || kind === "god" ? kind : "general", name: packName(kind), image } as const;
  const piece = (look?: string) => (
    <span className={cn("absolute bottom-0 left-1/2 aspect-[300/430] h-[94%] -translate-x-1/2 origin-bottom", look)}>
      <PackPicture pack={pack} />
    </span>
  );
  return (
    <div className="relative h-full w-full" aria-hidden="true">
      {several && piece("-rotate-12 scale-90")}
      {several && piece("rotate-12 scale-90")}
      {piece()}
    </div>
  );
}

/** A pack, or three of them for a bundle. */
function Pack({ kind, bundle }: { kind: string; bundle: boolean }) {
  const image = shopPicture(kind);
  const own = "absolute inset-x-0 -bottom-[7%] mx-auto h-full w-auto object-contain";
  return (
    <div className="relative h-full w-full">
      {bundle && <img src={image} alt="" width={680} height={740} loading="lazy" className={cn(own, "-translate-x-[17%] scale-[0.82]")} />}
      {bundle && <img src={image} alt="" width={680} height={740} loading="lazy" className={cn(own, "translate-x-[17%] scale-[0.82]")} />}
      <img src={image} alt="" width={680} height={740} loading="lazy" className={cn(own, bundle && "scale-[0.9]")} />
    </div>
  );
}

/** Tokens that lean on the shelf beside each other, three at most. */
function Tokens({ images }: { images: string[] }) {
  return (
    <div className="flex h-full items-end justify-center">
      {images.slice(0, 3).map((image, index) => (
        <img
          key={image}
          src={image}
          alt=""
          width={600}
          height={640}
          loading="lazy"
          className={cn(
            "aspect-[600/640] w-auto min-w-0 rounded-t border border-b-0 border-line-strong object-cover object-top",
            images.length === 1 ? "h-[90%]" : "h-[72%]",
            index > 0 && "-ml-[8%]",
          )}
        />
      ))}
    </div>
  );
}

/** How large the smallest purse is, as a share of the largest. */
const smallest = 0.6;

/** What a variation looks like on the shelf. It is decorative. */
export function Picture({ product, variation }: { product: Product; variation: Variation }) {
  const { gives, opens, odds, packs = 1 } = variation;
  if (opens) return <Pack kind={opens} bundle={packs > 1} />;
  if (odds) return <KodPack kind={odds} image={gives[0]?.image ?? ""} several={(gives[0]?.amount ?? 1) > 1} />;
  const images = gives.flatMap(({ image }) => image ?? []);
  if (images.length) return <Tokens images={images} />;
  const index = product.variations.indexOf(variation);
  const size = product.variations.length === 1 ? 0.85 : smallest + ((1 - smallest) * index) / (product.variations.length - 1);
  const Drawn = gives[0]?.kind === "usdc" ? Coins : gives[0]?.currency === "ne" ? Jar : Purse;
  return (
    <div className="mx-auto aspect-[10/11] h-full max-w-full py-[4%] pb-0">
      <Drawn size={size} />
    </div>
  );
}

/** What a reward looks like: the sealed pack until it is drawn, then its first token or currency. It is decorative. */
export function RewardPicture({ reward: { opening, grants } }: { reward: Reward }) {
  const usdc = useUsdc();
  const image = opening?.itemDropped?.image ?? grants.find((grant) => grant.image)?.image;
  if (image) return <img src={image} alt="" width={600} height={640} className="h-full w-full object-cover object-top" />;
  const currency = grants.find((grant) => grant.currency)?.currency;
  if (currency) return <CurrencyPicture code={currency} />;
  if (usdc && grants.some((grant) => isUsdc(grant, usdc))) return <Coins size={0.9} />;
  return opening ? <img src={shopPicture(opening.kind)} alt="" width={680} height={740} className="h-full w-full object-contain" /> : null;
}
