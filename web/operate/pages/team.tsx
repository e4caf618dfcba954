import { ActButton } from "../act-dialog";
import { changeRole, invite, newLink, removeOperator } from "../acts";
import { useRead } from "../query";
import { useMay, useSession } from "../session";
import type { Operators as List, Operator } from "../types";
import { Nothing, Page } from "../ui/page";
import { Read } from "../ui/read";
import { Table } from "../ui/table";
import { Time } from "../ui/values";

/** The operators. */
export function Team() {
  const query = useRead<List>("operators");
  return (
    <Page heading="Team" acts={<ActButton act={invite} kind="primary" />}>
      <Read query={query} what="The operators">
        {({ items }) => <Operators operators={items} />}
      </Read>
    </Page>
  );
}

function Operators({ operators }: { operators: Operator[] }) {
  const { id: own } = useSession();
  const may = useMay();
  if (operators.length === 0) return <Nothing>There are no operators.</Nothing>;
  return (
    <Table
      caption="Operators"
      rows={operators}
      keyOf={({ id }) => id}
      columns={[
        {
          name: "Name",
          className: "w-full min-w-32",
          cell: ({ id, name }) => (
            <>
              {name}
              {id === own && <span className="text-bone-muted"> (you)</span>}
            </>
          ),
        },
        { name: "Role", cell: ({ role }) => role },
        { name: "Passkeys", number: true, cell: ({ passkeys }) => passkeys },
        { name: "Signed in", cell: ({ seenAt }) => (seenAt ? <Time at={seenAt} /> : <span className="text-bone-muted">No</span>) },
        { name: "Added", cell: ({ createdAt }) => <Time at={createdAt} /> },
        {
          name: "Invitation",
          cell: ({ invitedUntil }) =>
            invitedUntil && (
              <>
                Until <Time at={invitedUntil} />
              </>
            ),
        },
        ["operator role", "operator invite", "operator remove"].some(may) && {
          name: "Acts",
          hidden: true,
          cell: (operator) =>
            operator.id !== own && (
              <div className="flex justify-end gap-2">
                <ActButton act={changeRole(operator)} />
                <ActButton act={newLink(operator)} />
                <ActButton act={removeOperator(operator)} />
              </div>
            ),
        },
      ]}
    />
  );
}
