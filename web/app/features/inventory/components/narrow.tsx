import { useEffect, useState } from "react";
import { inputLook } from "~/components/ui/field";
import { DownIcon } from "~/components/ui/icon";
import { SearchIcon } from "~/components/ui/market-icons";
import { rarities } from "~/components/ui/rarity";
import { cn } from "~/lib/cn";
import { type Chosen, useChosen } from "../chosen";
import { kinds } from "../queries";

interface PickProps {
  label: string;
  all: string;
  value: string;
  options: { value: string; label: string }[];
  onChange: (value: string) => void;
}

function Pick({ label, all, value, options, onChange }: PickProps) {
  return (
    <label className="relative">
      <span className="sr-only">{label}</span>
      <select value={value} onChange={(event) => onChange(event.target.value)} className={cn(inputLook, "h-11 cursor-pointer appearance-none pr-9")}>
        <option value="">{all}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <span className="pointer-events-none absolute inset-y-0 right-3 grid place-items-center text-bone-muted">
        <DownIcon size={14} />
      </span>
    </label>
  );
}

/** How long to wait after the last key before what is typed goes into the page's address, in milliseconds. */
const typingPause = 200;

function Words() {
  const { chosen, change } = useChosen();
  const [text, setText] = useState(chosen.q);
  const [sent, setSent] = useState(chosen.q);
  // The address changed by other means, such as the browser's back button or "Show everything".
  if (chosen.q !== sent) {
    setSent(chosen.q);
    setText(chosen.q);
  }
  useEffect(() => {
    const words = text.trim();
    if (words === sent) return;
    const timer = setTimeout(() => {
      setSent(words);
      change({ q: words });
    }, typingPause);
    return () => clearTimeout(timer);
  }, [text, sent, change]);
  return (
    <label className="relative max-lg:col-span-2">
      <span className="sr-only">Search your inventory</span>
      <span className="pointer-events-none absolute inset-y-0 left-3.5 grid place-items-center text-bone-muted">
        <SearchIcon />
      </span>
      <input
        type="search"
        value={text}
        maxLength={100}
        placeholder="Names, traits…"
        onChange={(event) => setText(event.target.value)}
        className={cn(inputLook, "h-11 pl-11")}
      />
    </label>
  );
}

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** Looks at a part of the inventory: by words, kind and rarity. */
export function Narrow() {
  const { chosen, change } = useChosen();
  return (
    <search aria-label="Your inventory" className="mb-12 grid grid-cols-2 gap-3 lg:grid-cols-[2fr_1fr_1fr_3fr]">
      <Words />
      <Pick
        label="Kind"
        all="All kinds"
        value={chosen.list}
        options={kinds.map(({ list, title }) => ({ value: list, label: title }))}
        onChange={(list) => change({ list: list as Chosen["list"] })}
      />
      <Pick
        label="Rarity"
        all="All rarities"
        value={chosen.rarity}
        options={rarities.map((rarity) => ({ value: rarity, label: capital(rarity) }))}
        onChange={(rarity) => change({ rarity: rarity as Chosen["rarity"] })}
      />
    </search>
  );
}
