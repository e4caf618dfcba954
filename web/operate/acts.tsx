import { useState } from "react";
import { Checkbox } from "~/components/ui/checkbox";
import { CopyIconButton } from "~/components/ui/copyable";
import { Field } from "~/components/ui/field";
import { Select } from "~/components/ui/select";
import { amount, fromBaseUnits, plural } from "~/lib/format";
import type { Act } from "./act-dialog";
import { call, part, post } from "./api";
import { answerForSession } from "./session";
import type * as T from "./types";
import { Time } from "./ui/values";

/** The acts of the console: for each the words of its dialog, the call and the words of its result. */

const needed = (what: string) => (value: string) => (value.trim() ? undefined : `Enter ${what}.`);
const anything = () => undefined;
const listProblem = (value: string) =>
  /^[a-z0-9][a-z0-9-]{0,39}$/.test(value.trim()) ? undefined : "A list's name has 1 to 40 lower-case letters, digits and hyphens.";
const scoreProblem = (value: string) => (/^\d{1,15}$/.test(value.trim()) ? undefined : "Enter a whole number.");
const amountProblem = (value: string) => (/^(\d+(\.\d{1,18})?)?$/.test(value.trim()) ? undefined : "Enter a number such as 0.05.");
const operationsProblem = (value: string) => (/^\d{0,9}$/.test(value.trim()) ? undefined : "Enter a whole number.");

const of = ({ id }: T.Player, what: string) => `players/${part(id)}/${what}`;

const PlayerField = ({ error }: { error: string | undefined }) => (
  <Field
    label="Player"
    name="player"
    autoComplete="off"
    spellCheck={false}
    hint="The player's id, email address or name. It must fit one player only."
    error={error}
  />
);

export const freeze = (player: T.FoundPlayer): Act => ({
  right: "player freeze",
  label: player.frozen ? "Change the reason" : "Freeze",
  title: player.frozen ? `Change why ${player.name} is frozen` : `Freeze ${player.name}`,
  will: player.frozen
    ? `The player stays frozen and reads the new reason.${player.frozen?.reason ? "" : " The owner’s own link no longer lifts the freeze."}`
    : "Ends all sessions, holds, withdrawals and a requested deletion, removes the passkeys and closes the wallet. " +
      "The player cannot sign in, and reads the reason.",
  reason: "1 to 200 characters. The player reads it.",
  async run({ reason }) {
    const r = await post<T.FreezeResult>(of(player, "freeze"), { reason } satisfies T.Reason);
    return (
      <>
        <p>
          {r.already ? `${r.player.name} was frozen before. The reason has changed.` : `${r.player.name} is frozen.`}{" "}
          {plural(r.sessionsEnded, "session")} and {plural(r.holdsEnded, "hold")} ended.
        </p>
        <p className="mt-2 text-bone-muted">The player reads: “{r.shown}”</p>
      </>
    );
  },
});

export const unfreeze = (player: T.Player): Act => ({
  right: "player unfreeze",
  label: "Unfreeze",
  title: `Unfreeze ${player.name}`,
  will: "The player can sign in again, and the wallet is open. What the freeze ended stays ended.",
  async run({ reason }) {
    const r = await post<T.Unfrozen>(of(player, "unfreeze"), { reason } satisfies T.Reason);
    return r.was ? (
      <p>
        {r.player.name} is not frozen any more. The freeze was from <Time at={r.was.since} />.
      </p>
    ) : (
      <p>{r.player.name} was not frozen. Nothing has changed.</p>
    );
  },
});

export const addToList = (player: T.Player): Act => ({
  right: "player whitelist add",
  label: "Add to a list",
  title: `Add ${player.name} to a list`,
  will: "The player may do what the list allows. If the player is on it, only the end changes.",
  rules: { list: listProblem, until: anything },
  fields: (errors) => (
    <>
      <Field label="List" name="list" autoComplete="off" spellCheck={false} error={errors.list} />
      <Field label="Until" name="until" type="date" hint="The day on which it ends, at 00:00 UTC. Empty for no end." error={errors.until} />
    </>
  ),
  async run({ list = "", until, reason }) {
    const body: T.PutOnList = { list: list.trim(), ...(until && { until: `${until}T00:00:00Z` }), reason };
    const r = await post<T.Changed>(of(player, "lists"), body);
    return (
      <p>
        {r.player.name} is on the list “{list.trim()}”{until && ` until ${until}`}.
      </p>
    );
  },
});

export const removeFromList = (player: T.Player, list: string): Act => ({
  right: "player whitelist remove",
  label: "Remove",
  name: `Remove from ${list}`,
  title: `Remove ${player.name} from “${list}”`,
  will: "The player may no longer do what the list allows.",
  async run({ reason }) {
    const r = await post<T.Changed>(of(player, "lists/remove"), { list, reason } satisfies T.PutOnList);
    return (
      <p>
        {r.player.name} is not on the list “{list}” any more.
      </p>
    );
  },
});

export const score = (player: T.Player): Act => ({
  right: "player score",
  label: "Report a score",
  title: `Report a score of ${player.name}`,
  will: "The score counts as if the game had reported it.",
  rules: { board: needed("the board"), score: scoreProblem },
  fields: (errors) => (
    <>
      <Field label="Board" name="board" autoComplete="off" spellCheck={false} error={errors.board} />
      <Field label="Score" name="score" inputMode="numeric" autoComplete="off" error={errors.score} />
    </>
  ),
  async run({ board = "", score: given = "", reason }) {
    const body: T.SetScore = { board: board.trim(), score: Number(given), reason };
    const r = await post<T.Changed>(of(player, "score"), body);
    return (
      <p>
        {r.player.name} has {given.trim()} reported on “{board.trim()}”.
      </p>
    );
  },
});

export const forgive = (player: T.Player): Act => ({
  right: "shop forgive",
  label: "Forgive debts",
  name: `Forgive the debts of ${player.name}`,
  title: `Forgive the debts of ${player.name}`,
  will: "All open debts after refunds and all disputes of the player's payments in the webstore are forgiven.",
  async run({ reason }) {
    const r = await post<T.Forgiven>(of(player, "forgive"), { reason } satisfies T.Reason);
    return (
      <p>
        {plural(r.debts, "debt")} and {plural(r.disputes, "dispute")} of {r.player.name} forgiven.
      </p>
    );
  },
});

/** The checkbox of a reward whose grants the player may have. Forms read inputs by name. */
function EvenIfGiven() {
  const [checked, setChecked] = useState(false);
  return (
    <div className="text-sm">
      <Checkbox checked={checked} onChange={setChecked}>
        <span>Also what the player may have already: I have looked up the balance on the game platform.</span>
      </Checkbox>
      <input type="hidden" name="evenIfGiven" value={checked ? "yes" : ""} />
    </div>
  );
}

export const redo = ({ source }: T.Reward): Act => ({
  right: "reward redo",
  label: "Give again",
  name: `Give ${source} again`,
  title: "Give what failed again",
  will: `The failed parts of ${source} are given again. What is known to be given is not given twice.`,
  rules: { evenIfGiven: anything },
  fields: () => <EvenIfGiven />,
  async run({ evenIfGiven, reason }) {
    const body: T.RedoReward = { source, evenIfGiven: evenIfGiven === "yes", reason };
    const { grants } = await post<T.RedoneReward>("rewards/redo", body);
    return <p>{plural(grants, "part")} of the reward will be given again.</p>;
  },
});

export const assign = ({ source }: T.Reward): Act => ({
  right: "reward assign",
  label: "Assign",
  name: `Assign ${source}`,
  title: "Assign a reward to a player",
  will: `${source} waits for the player of its wallet. It is given to the player you name.`,
  rules: { player: needed("the player") },
  fields: (errors) => <PlayerField error={errors.player} />,
  async run({ player = "", reason }) {
    const r = await post<T.Changed>("rewards/assign", { source, player: player.trim(), reason } satisfies T.AssignReward);
    return <p>The reward is {r.player.name}’s.</p>;
  },
});

export const shopAssign = ({ id, number }: T.ShopOrder): Act => ({
  right: "shop assign",
  label: "Assign",
  name: `Assign order ${number}`,
  title: `Assign order ${number} to a player`,
  will: "The order and its rewards become the player’s. It cannot be assigned to another one later.",
  rules: { player: needed("the player") },
  fields: (errors) => <PlayerField error={errors.player} />,
  async run({ player = "", reason }) {
    const body: T.AssignShopOrder = { player: player.trim(), reason };
    const r = await post<T.Changed>(`shop/orders/${id}/assign`, body);
    return (
      <p>
        Order {number} is {r.player.name}’s.
      </p>
    );
  },
});

export const shopRelease = ({ id, number }: T.ShopOrder): Act => ({
  right: "shop release",
  label: "Release",
  name: `Release order ${number}`,
  title: `Release order ${number}`,
  will: "The player gets what waits for an operator, as far as its quantity is known.",
  async run({ reason }) {
    await post<T.Success>(`shop/orders/${id}/release`, { reason } satisfies T.Reason);
    return <p>What waited of order {number} will be given, as far as its quantity is known.</p>;
  },
});

export const raiseGas = (chain: string, chainId: number): Act => ({
  right: "gas raise",
  label: "Raise",
  name: `Raise the budget of ${chain}`,
  title: `Raise today’s gas budget: ${chain}`,
  will: `Adds to what the portal pays for players on chain ${chainId} today. Tomorrow the budget is that of the settings again.`,
  rules: {
    amount: amountProblem,
    operations: operationsProblem,
  },
  fields: (errors) => (
    <>
      <Field
        label="Amount"
        name="amount"
        inputMode="decimal"
        autoComplete="off"
        hint="In the chain’s currency, such as 0.05."
        error={errors.amount}
      />
      <Field label="Operations" name="operations" inputMode="numeric" autoComplete="off" error={errors.operations} />
    </>
  ),
  async run({ amount: added = "", operations = "", reason }) {
    const body: T.RaiseGas = { amount: added.trim() || "0", operations: Number(operations), reason };
    const item = await post<T.GasBudget>(`gas/${part(chain)}`, body);
    return (
      <p>
        {item.limits
          ? `${amount(fromBaseUnits(item.limits.left, 18))} and ${plural(item.limits.operationsLeft, "operation")} are left for today.`
          : "The budget is raised."}
      </p>
    );
  },
});

/** The roles, as they are offered. */
const roles: { value: T.Role; label: string }[] = [
  { value: "support", label: "Support: helps players" },
  { value: "economy", label: "Economy: gives what players are owed, and keeps the budgets" },
  { value: "security", label: "Security: stops accounts, and reads the log" },
  { value: "owner", label: "Owner: everything" },
];

/** The link of an invitation, which is shown once. */
function InvitationLink({ operator, url, expiresAt }: T.Invitation) {
  return (
    <>
      <p>
        Send this link to {operator.name}. It is shown only now, works once, and is good until <Time at={expiresAt} />. Whoever has it
        becomes {operator.name}.
      </p>
      <p className="mt-3 flex items-center gap-1 rounded border border-line-strong bg-night px-3 py-2">
        <span className="min-w-0 flex-1 font-mono text-xs [overflow-wrap:anywhere]">{url}</span>
        <CopyIconButton text={url} what="link" />
      </p>
    </>
  );
}

export const invite: Act = {
  right: "operator add",
  label: "Invite",
  title: "Invite an operator",
  will: "Creates an operator and a link with which that person adds a passkey.",
  rules: { name: needed("a name"), role: needed("a role") },
  fields: (errors) => (
    <>
      <Field label="Name" name="name" autoComplete="off" hint="It stands in the log of what is done." error={errors.name} />
      <Select label="Role" name="role" options={roles} error={errors.role} />
    </>
  ),
  async run({ name = "", role = "", reason }, onAsk) {
    const body: T.NewOperator = { name: name.trim(), role, reason, ...(await answerForSession(onAsk)) };
    return <InvitationLink {...(await post<T.Invitation>("operators", body))} />;
  },
};

export const newLink = ({ id, name }: T.Operator): Act => ({
  right: "operator invite",
  label: "New link",
  name: `New link for ${name}`,
  title: `New link for ${name}`,
  will:
    "For a lost device: removes all passkeys, ends all sessions, and creates a link with which a new passkey is added. " +
    "A link from before no longer works.",
  async run({ reason }, onAsk) {
    const body: T.NewInvitation = { reason, ...(await answerForSession(onAsk)) };
    return <InvitationLink {...(await post<T.Invitation>(`operators/${part(id)}/invitation`, body))} />;
  },
});

export const changeRole = ({ id, name, role }: T.Operator): Act => ({
  right: "operator role",
  label: "Change role",
  name: `Change the role of ${name}`,
  title: `Change the role of ${name}`,
  will: `${name} has the role ${role}. The new one counts at once, also in sessions that are open.`,
  rules: { role: needed("a role") },
  fields: (errors) => <Select label="Role" name="role" defaultValue={role} options={roles} error={errors.role} />,
  async run({ role: next = "", reason }, onAsk) {
    const body: T.ChangeRole = { role: next, reason, ...(await answerForSession(onAsk)) };
    const operator = await call<T.Operator>(`operators/${part(id)}`, { method: "PATCH", body });
    return (
      <p>
        {operator.name} has the role {operator.role}.
      </p>
    );
  },
});

export const removeOperator = ({ id, name }: T.Operator): Act => ({
  right: "operator remove",
  label: "Remove",
  name: `Remove ${name}`,
  title: `Remove ${name}`,
  will: "Ends all sessions of this operator and removes the passkeys and an open invitation. The log keeps the name.",
  async run({ reason }) {
    await post<T.Success>(`operators/${part(id)}/remove`, { reason } satisfies T.Reason);
    return <p>{name} is removed.</p>;
  },
});

export const removePasskey = ({ id, name }: T.OperatorPasskey): Act => ({
  right: "",
  label: "Remove",
  name: `Remove ${name}`,
  title: `Remove “${name}”`,
  will: "Asks for a passkey that you have. This one is removed, all your sessions end, and you sign in again with another.",
  reason: null,
  signsOut: true,
  async run(_, onAsk) {
    await post<T.Success>(`passkeys/${part(id)}/remove`, await answerForSession(onAsk));
    return <p>“{name}” is removed.</p>;
  },
});
