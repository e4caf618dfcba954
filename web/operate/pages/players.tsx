import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { Link, useLocation } from "react-router";
import { linkLook } from "~/components/ui/link";
import { SearchField } from "~/components/ui/search-field";
import { useNavigate } from "~/lib/navigation";
import { call, part } from "../api";
import { useRead } from "../query";
import type { FoundPlayer, FoundPlayers, FrozenPlayers, Player, PlayerSearch } from "../types";
import { Nothing, Page, Section } from "../ui/page";
import { Read } from "../ui/read";
import { Table } from "../ui/table";
import { Ident, Time } from "../ui/values";

/** The search for players. "/" leads to its field; arrow keys lead through what was found. */
export function Players() {
  // Addresses of emails are not in the page's address, nor in that of the call: proxies log those.
  const { state } = useLocation();
  const search = wordsOf(state);
  const found = useQuery({
    queryKey: ["players/search", search],
    queryFn: ({ signal }) => call<FoundPlayers>("players/search", { method: "POST", body: { search } satisfies PlayerSearch, signal }),
    enabled: search !== "",
  });
  const box = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  const first = search ? found.data?.items[0] : undefined;
  useEffect(() => {
    const field = () => box.current?.querySelector<HTMLInputElement>("input[type=search]");
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const at = event.target as HTMLElement;
      if (event.key === "/" && !at.closest("input, textarea, select, [role=dialog]")) {
        event.preventDefault();
        field()?.focus();
        return;
      }
      if (!box.current?.contains(at)) return;
      if (event.key === "Enter" && at === field() && first && field()?.value.trim() === search) {
        void navigate(`/players/${part(first.id)}`);
        return;
      }
      const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
      if (!step) return;
      const stops = [field(), ...box.current.querySelectorAll<HTMLElement>("[data-result]")];
      const next = stops[stops.indexOf(at) + step];
      if (!stops.includes(at) || !next) return;
      event.preventDefault();
      next.focus();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [first, search, navigate]);

  return (
    <Page heading="Players">
      <div ref={box} className="grid grid-cols-[minmax(0,1fr)] gap-5">
        <div className="grid gap-2">
          <SearchField
            label="Search for players"
            placeholder="Id, email, name, wallet or order"
            value={search}
            onChange={(words) => void navigate("/players", { replace: true, state: words ? { search: words } : null })}
            className="max-w-xl"
          />
          <p className="text-sm text-bone-muted">
            Id, email, name or wallet of a player, or the id of an order, written in full.{" "}
            <span className="max-lg:hidden">Press / to search and the arrow keys to choose.</span>
          </p>
        </div>
        {search && (
          <Read query={found} what="The search">
            {({ items }) => <Found items={items} search={search} />}
          </Read>
        )}
      </div>
      {!search && <Frozen />}
    </Page>
  );
}

/** The words that are searched for, of the state of a place in the history. */
function wordsOf(state: unknown): string {
  const words = (state as { search?: unknown } | null)?.search;
  return typeof words === "string" ? words : "";
}

/** A player's name, which leads to the page. */
const PlayerName = ({ id, name }: Player) => (
  <Link data-result to={`/players/${part(id)}`} className={linkLook}>
    {name}
  </Link>
);

function Found({ items, search }: { items: FoundPlayer[]; search: string }) {
  if (items.length === 0) return <Nothing>No player fits “{search}”.</Nothing>;
  return (
    <>
      <p role="status" className="sr-only">
        {items.length} found
      </p>
      <Table
        caption="Players that were found"
        rows={items}
        keyOf={({ id }) => id}
        columns={[
          { name: "Name", className: "w-full min-w-32", cell: (player) => <PlayerName {...player} /> },
          { name: "Email", cell: ({ email }) => email },
          { name: "Id", cell: ({ id }) => <Ident text={id} copy="id" /> },
          {
            name: "Frozen",
            cell: ({ frozen }) =>
              frozen && (
                <span className="text-bad">
                  since <Time at={frozen.since} />
                </span>
              ),
          },
        ]}
      />
    </>
  );
}

/** The players who are frozen. */
function Frozen() {
  const query = useRead<FrozenPlayers>("frozen");
  return (
    <Section id="frozen" heading="Frozen players" note="The longest frozen first.">
      <Read query={query} what="The frozen players" rows={3}>
        {({ items }) =>
          items.length === 0 ? (
            <Nothing>Nobody is frozen.</Nothing>
          ) : (
            <Table
              caption="Frozen players"
              rows={items}
              keyOf={({ player }) => player.id}
              columns={[
                { name: "Name", className: "min-w-32", cell: ({ player }) => <PlayerName {...player} /> },
                { name: "Email", cell: ({ player }) => player.email },
                { name: "Id", cell: ({ player }) => <Ident text={player.id} copy="id" /> },
                { name: "Since", cell: ({ since }) => <Time at={since} /> },
                {
                  name: "Reason",
                  className: "w-full min-w-48 [overflow-wrap:anywhere]",
                  cell: ({ reason }) => reason ?? <span className="text-bone-muted">By the owner: “This was not me” in an email</span>,
                },
              ]}
            />
          )
        }
      </Read>
    </Section>
  );
}
