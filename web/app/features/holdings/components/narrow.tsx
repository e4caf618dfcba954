import { rarities } from "~/components/ui/rarity";
import { SearchField } from "~/components/ui/search-field";
import { CompactSelect } from "~/components/ui/select";
import { kinds } from "~/lib/registry";
import { type Filters, useFilters } from "../filters";

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** Filters the inventory by words, kind and rarity. */
export function Narrow() {
  const { filters, change } = useFilters();
  return (
    <search aria-label="Your inventory" className="mb-8 grid sm:mb-12 grid-cols-2 gap-3 lg:grid-cols-[2fr_1fr_1fr_3fr]">
      <SearchField
        label="Search your inventory"
        placeholder="Names, traits…"
        value={filters.q}
        onChange={(q) => change({ q })}
        className="max-lg:col-span-2"
      />
      <CompactSelect
        label="Kind"
        value={filters.list}
        options={[{ value: "", label: "All kinds" }, ...kinds.map(({ list, title }) => ({ value: list, label: title }))]}
        onChange={(list: Filters["list"]) => change({ list })}
      />
      <CompactSelect
        label="Rarity"
        value={filters.rarity}
        options={[{ value: "", label: "All rarities" }, ...rarities.map((rarity) => ({ value: rarity, label: capital(rarity) }))]}
        onChange={(rarity: Filters["rarity"]) => change({ rarity })}
      />
    </search>
  );
}
