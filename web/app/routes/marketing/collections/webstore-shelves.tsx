const shelves = [
  {
    name: "Destiny packs",
    text: "Packs for King of Destiny, paid for in money and delivered to your account. What may be inside will stand on the label, with the odds.",
    places: 4,
  },
  {
    name: "Gold packs",
    text: "Gold for the games, by the purse. How much is in a purse will stand on it, and no purse will hold more on a Tuesday than on a Monday.",
    places: 3,
  },
  {
    name: "Cosmetics",
    text: "How you look, and nothing else. A hat makes nobody stronger, and we intend to keep it that way.",
    places: 5,
  },
];

/** A place on a shelf, and the tag that hangs there already. */
function Place() {
  return (
    <svg viewBox="0 0 120 150" fill="none" aria-hidden="true" className="h-auto w-full max-w-28">
      <path d="M10 148V34C10 18 28 8 60 8s50 10 50 26v114" stroke="var(--color-bronze-dim)" strokeDasharray="3 6" />
      <path d="M60 70v12" stroke="var(--color-bronze)" />
      <path d="m60 82 13 9v24H47V91Z" stroke="var(--color-bronze)" />
      <path d="M53 101h14M53 108h9" stroke="var(--color-bronze-dim)" />
    </svg>
  );
}

/** The shelves, each with what will stand on it and with the room that is kept for it. */
export default function Shelves() {
  return (
    <section aria-label="Shelves" className="border-t-[14px] border-[#4f3019] bg-[linear-gradient(var(--color-night-1),var(--color-night)_60%)]">
      <ul className="mx-auto max-w-[100rem] px-4 sm:px-8">
        {shelves.map((shelf) => (
          <li key={shelf.name} className="grid grid-cols-1 gap-x-10 gap-y-8 pt-14 lg:grid-cols-[1fr_1.65fr] lg:pt-20">
            <div className="lg:pb-10">
              <h2 className="display text-[clamp(3.0625rem,5vw,4.75rem)] leading-[0.9]">{shelf.name}</h2>
              <p className="mt-4 max-w-[26rem] text-bone-muted">{shelf.text}</p>
            </div>
            <div className="grid grid-cols-5 items-end gap-4 px-2 sm:gap-8 sm:px-6">
              {[1, 2, 3, 4, 5].slice(0, shelf.places).map((place) => (
                <Place key={place} />
              ))}
            </div>
            <div className="-mx-4 h-3 bg-[linear-gradient(#ad8150,#724e2d_30%,#3f2a18)] shadow-[0_10px_18px_rgb(0_0_0/0.5)] sm:-mx-8 lg:col-span-2" />
          </li>
        ))}
      </ul>
    </section>
  );
}
