import { useId } from "react";
import helm from "~art/arms-helm.svg";
import crest from "~art/face-crest.svg";
import diadem from "~art/face-diadem.svg";
import laurel from "~art/face-laurel.svg";
import packAvatar from "~art/pack-avatar.svg";
import packGeneral from "~art/pack-general.svg";
import packGod from "~art/pack-god.svg";

const shelves = [
  {
    name: "Destiny packs",
    text: "Packs for King of Destiny, paid for in money and delivered to your account. What may be inside will stand on the label, with the odds.",
    goods: [packGeneral, packAvatar, packGod],
  },
  {
    name: "Gold packs",
    text: "Gold for the games, by the purse. How much is in a purse will stand on it, and no purse will hold more on a Tuesday than on a Monday.",
    goods: [0.62, 0.8, 1],
  },
  {
    name: "Cosmetics",
    text: "How you look, and nothing else. A hat makes nobody stronger, and we intend to keep it that way.",
    goods: [laurel, crest, diadem, helm],
  },
];

/** A purse with its strings drawn, scaled by `size`. */
function Purse({ size }: { size: number }) {
  const leather = useId();
  return (
    <svg viewBox="0 0 200 220" fill="none" strokeLinejoin="round" strokeLinecap="round" aria-hidden="true" className="h-full w-full">
      <g transform={`translate(${100 - 100 * size} ${218 - 218 * size}) scale(${size})`} stroke="#070c0e" strokeWidth="5">
        <path d="M72 62C24 92 4 140 14 182c6 26 34 34 86 34s80-8 86-34c10-42-10-90-58-120Z" fill={`url(#${leather})`} />
        <path d="M72 62C58 40 44 34 40 20c20 8 34-4 60-4s40 12 60 4c-4 14-18 20-32 42Z" fill="#a54d30" />
        <path d="M64 54h72v18H64Z" fill="#ecbe50" />
        <path d="M136 70c26 10 30 34 22 54M132 72c8 18 6 34-2 46" stroke="#ecbe50" />
        <circle cx="100" cy="146" r="34" fill="#b47f1d" />
        <circle cx="100" cy="146" r="25" fill="#ecbe50" stroke="#63400b" strokeWidth="3" />
        <path d="m100 126 5 15 15 5-15 5-5 15-5-15-15-5 15-5Z" fill="#63400b" stroke="none" />
        <path d="M36 178c10 14 26 20 44 22M34 150c0-20 10-38 22-50" stroke="#dc875e" strokeWidth="4" />
      </g>
      <defs>
        <linearGradient id={leather} x1="0" y1="0" x2="1" y2="1">
          <stop stopColor="#a54d30" />
          <stop offset="1" stopColor="#3f1a10" />
        </linearGradient>
      </defs>
    </svg>
  );
}

/** The tag that hangs from the edge of a shelf, still blank. */
function Tag() {
  return (
    <svg viewBox="0 0 60 74" width="60" height="74" fill="none" aria-hidden="true" className="w-10 sm:w-14">
      <path d="M30 0v16" stroke="#efe6d2" strokeWidth="2" />
      <path d="M30 14 52 28v44H8V28Z" fill="#d9c79d" stroke="#1a150e" strokeWidth="3" strokeLinejoin="round" />
      <circle cx="30" cy="27" r="3.5" fill="#1a150e" />
      <path d="M18 44h24M18 56h24" stroke="#8a7444" strokeWidth="3" strokeDasharray="3 4" />
    </svg>
  );
}

/** The shelves, each with a sample of its future goods; the tags have no prices yet. */
export default function Shelves() {
  return (
    <section
      aria-label="Shelves"
      className="overflow-x-clip border-t-[14px] border-[#4f3019] bg-[linear-gradient(var(--color-night-1),var(--color-night)_60%)]"
    >
      <ul className="mx-auto max-w-[100rem] px-4 sm:px-8">
        {shelves.map((shelf) => (
          <li key={shelf.name} className="grid grid-cols-1 gap-x-10 gap-y-2 pt-14 lg:grid-cols-[1fr_1.65fr] lg:pt-16">
            <div className="lg:self-center lg:pb-10">
              <h2 className="display text-[clamp(3.0625rem,5vw,4.75rem)]">{shelf.name}</h2>
              <p className="mt-4 max-w-[26rem] text-bone-muted">{shelf.text}</p>
            </div>
            <div className="flex items-end justify-around bg-[radial-gradient(50%_70%_at_50%_100%,rgb(245_185_66/0.16),transparent)] sm:gap-4">
              {shelf.goods.map((thing) =>
                typeof thing === "number" ? (
                  <div key={thing} className="aspect-[10/11] w-[30%] max-w-60 pt-8">
                    <Purse size={thing} />
                  </div>
                ) : (
                  <img
                    key={thing}
                    src={thing}
                    alt=""
                    width={680}
                    height={740}
                    loading="lazy"
                    className={shelf.goods.length > 3 ? "-mx-[3%] -mb-[2%] w-[29%] max-w-72 min-w-0" : "-mx-[2%] -mb-[3%] w-[36%] max-w-84 min-w-0"}
                  />
                ),
              )}
            </div>
            <div className="relative z-10 -mx-4 h-3.5 bg-[linear-gradient(#d0a06a,#8a5f37_30%,#3f2a18)] sm:-mx-8 lg:col-span-2" />
            <div className="-mt-2.5 lg:col-start-2">
              <div className="flex justify-around">
                {shelf.goods.map((thing) => (
                  <Tag key={thing} />
                ))}
              </div>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
