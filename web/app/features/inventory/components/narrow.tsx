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

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** Looks at a part of the inventory: by words, kind and rarity. */
export function Narrow() {
  const { chosen, change } = useChosen();
  return (
    <search aria-label="Your inventory" className="mb-12 grid grid-cols-2 gap-3 lg:grid-cols-[2fr_1fr_1fr_3fr]">
      <label className="relative max-lg:col-span-2">
        <span className="sr-only">Search your inventory</span>
        <span className="pointer-events-none absolute inset-y-0 left-3.5 grid place-items-center text-bone-muted">
          <SearchIcon />
        </span>
        <input
          type="search"
          value={chosen.q}
          maxLength={100}
          placeholder="Names, traits…"
          onChange={(event) => change({ q: event.target.value })}
          className={cn(inputLook, "h-11 pl-11")}
        />
      </label>
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
