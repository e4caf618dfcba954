import { useParams } from "react-router";
import { ActButton } from "../act-dialog";
import { addToList, forgive, freeze, removeFromList, score, unfreeze } from "../acts";
import { part } from "../api";
import { useRead } from "../query";
import { useMay, useSession } from "../session";
import type { PlayerPage } from "../types";
import { Events, LogLink, Orders, Rewards } from "../ui/lists";
import { Nothing, Page, Section } from "../ui/page";
import { Read } from "../ui/read";
import { Table } from "../ui/table";
import { Facts, Ident, Time } from "../ui/values";

/** What the portal knows of a player, and what can be done. */
export function PlayerDetails() {
  const { id = "" } = useParams();
  const query = useRead<PlayerPage>(`players/${part(id)}`);
  const { data } = query;
  return (
    <Page heading={data?.name ?? "Player"} title={data ? `${data.name} · Players` : "Player"} acts={data && <PlayerActs {...data} />}>
      <Read query={query} what="This player" rows={12} unknown="There is no such player.">
        {(page) => <Parts {...page} />}
      </Read>
    </Page>
  );
}

const acts = ["player freeze", "player unfreeze", "player score", "shop forgive"];

function PlayerActs(player: PlayerPage) {
  const may = useMay();
  const { role } = useSession();
  if (!acts.some(may)) return <p className="text-sm text-bone-muted">Your role, {role}, can look at players, but not freeze them.</p>;
  return (
    <>
      <ActButton act={freeze(player)} />
      {player.frozen && <ActButton act={unfreeze(player)} />}
      <ActButton act={score(player)} />
      <ActButton act={forgive(player)} />
    </>
  );
}

function Parts(player: PlayerPage) {
  const { frozen, wallet, verifiedWallet, rewards, owed, orders, passkeys, events } = player;
  const lists = player.lists ?? [];
  const may = useMay();
  return (
    <>
      {frozen && (
        <p className="border-l-2 border-bad bg-night-1 px-4 py-3 [overflow-wrap:anywhere]">
          <span className="text-bad">Frozen</span> since <Time at={frozen.since} />.{" "}
          {frozen.reason ? `The player reads: “${frozen.reason}”` : "The owner did it, by “This was not me” in an email."}
        </p>
      )}
      <Section heading="Profile">
        <Facts
          facts={[
            ["Id", <Ident key="id" text={player.id} copy="id" whole />],
            ["Name", player.name],
            ["Email", player.email ?? "None"],
            ["Passkeys", passkeys],
          ]}
        />
      </Section>
      <Section heading="Wallets">
        {wallet || verifiedWallet ? (
          <Facts
            facts={[
              ["Smart account", wallet && <Ident text={wallet.smart} copy="address" whole />],
              ["Its embedded key", wallet && <Ident text={wallet.embedded} copy="address" whole />],
              ["Verified wallet", verifiedWallet && <Ident text={verifiedWallet} copy="address" whole />],
            ]}
          />
        ) : (
          <Nothing>No wallets.</Nothing>
        )}
      </Section>
      <Section heading="Lists" acts={<ActButton act={addToList(player)} />}>
        {lists.length === 0 ? (
          <Nothing>On no list.</Nothing>
        ) : (
          <Table
            caption="Lists"
            rows={lists}
            keyOf={({ name }) => name}
            columns={[
              { name: "List", className: "w-full", cell: ({ name }) => name },
              { name: "Until", className: "whitespace-nowrap", cell: ({ until }) => (until ? <Time at={until} /> : "No end") },
              may("player whitelist remove") && {
                name: "Acts",
                hidden: true,
                cell: ({ name }) => <ActButton act={removeFromList(player, name)} />,
              },
            ]}
          />
        )}
      </Section>
      <Section heading="Orders" note="On the market, the newest first.">
        <Orders orders={orders} />
      </Section>
      <Section
        heading="Rewards"
        note={
          <>
            {rewards.done} given, {rewards.open} open, {rewards.failed} failed, {rewards.cancelled} cancelled. The newest first.
          </>
        }
      >
        <Rewards rewards={owed} ofPlayer />
      </Section>
      <Section heading="Security log" note={may("audit list") && <LogLink player={player.id} />}>
        <Events events={events} />
      </Section>
    </>
  );
}
