import { useQuery } from "@tanstack/react-query";
import { linkLook } from "~/components/ui/link";
import { ScrollArea } from "~/components/ui/scroll-area";
import { DidNotLoad, Skeleton } from "~/components/ui/states";
import { cn } from "~/lib/cn";
import { zonedDateTime } from "~/lib/time";
import { type Move, type MovedToken, reconciliationQuery } from "../queries";
import { collectionName, quantity } from "../texts";

/** The columns of the table that are numbers of tokens. */
const columns = [
  ["minted", "Minted"],
  ["burned", "Burned"],
  ["held", "Held"],
  ["claimed", "Claimed"],
  ["given", "Given"],
] as const;

function Row({ token }: { token: MovedToken }) {
  const isCurrency = token.standard === "erc20";
  return (
    <tr className="border-b border-line align-top">
      <th scope="row" className="py-2.5 pr-4 text-left font-normal">
        {collectionName(token.collection)}
      </th>
      <th scope="row" className="max-w-48 break-all py-2.5 pr-4 text-left font-normal text-bone-muted">
        {(!isCurrency && token.tokenId) || "all"}
      </th>
      {columns.map(([key]) => (
        <td key={key} className="whitespace-nowrap py-2.5 pl-4 text-right">
          {quantity(token[key], isCurrency)}
        </td>
      ))}
    </tr>
  );
}

/** The contracts of the collections on both chains. */
function Contracts({ tokens }: { tokens: MovedToken[] }) {
  const each = [...new Map(tokens.map((token) => [token.contract, token])).values()];
  return (
    <details className="mt-6 max-w-[60rem]">
      <summary className="min-h-11 cursor-pointer py-2.5">
        <span className={linkLook}>The contracts on both chains</span>
      </summary>
      <Facts
        facts={each.map(({ collection, contract, newContract }) => [
          collectionName(collection),
          newContract ? `${contract} → ${newContract}` : contract,
        ])}
      />
    </details>
  );
}

/** Names with their values, which may break anywhere. */
function Facts({ facts }: { facts: [name: string, value: string | number | undefined][] }) {
  return (
    <dl className="figures grid gap-x-6 sm:grid-cols-[11rem_minmax(0,1fr)] sm:gap-y-2">
      {facts.map(
        ([name, value]) =>
          value !== undefined && (
            <div key={name} className="contents">
              <dt className="text-bone-muted">{name}</dt>
              <dd className="min-w-0 break-all max-sm:mb-2">{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** How anybody makes the snapshot's text, and compares it. */
function HowToCheck({ move: { chainId } }: { move: Move }) {
  const text = `/api/moves/${chainId}/snapshot?part=1`;
  return (
    <div className="mt-8 grid max-w-[44rem] gap-3">
      <h4 className="display text-2xl">Check it yourself</h4>
      <p>
        The snapshot's text has a line for each holding: contract, token, owner, and how many in base units, sorted by these. A long one
        comes in parts: count up <code>part</code> until one is empty, and put them one after another.
      </p>
      <p>
        The SHA-256 of that text is the one above. Anybody can make the same text from the old chain's transfers up to that block, and then
        it has the same SHA-256. On the new chain, no more is given than was held.
      </p>
      <a href={text} className={cn(linkLook, "flex min-h-11 items-center justify-self-start")}>
        The snapshot's text
      </a>
    </div>
  );
}

/** What was held on the old chain and given on the new one, token by token, for everybody. */
export function Comparison({ move }: { move: Move }) {
  const { chainId, to, block, blockHash, blockTime, sha256 } = move;
  const { data, error, refetch } = useQuery(reconciliationQuery(chainId));
  const id = `compared-${chainId}`;
  return (
    <section aria-labelledby={id} className="mt-16">
      <h3 id={id} className="display text-4xl">
        Both chains compared
      </h3>
      <div className="mt-6 max-w-[60rem]">
        <Facts
          facts={[
            ["Old chain", chainId],
            ["New chain", to ?? "not there yet"],
            ["Block", block?.toLocaleString("en")],
            ["Its time", blockTime && zonedDateTime(blockTime)],
            ["Its hash", blockHash],
            ["SHA-256", sha256],
          ]}
        />
      </div>
      <HowToCheck move={move} />
      <div className="mt-8">
        {data ? (
          <>
            <p className="mb-6 max-w-[44rem] text-bone-muted">
              What was minted and burned on the old chain, what was held at the snapshot, and how much of that was claimed, and given on the
              new chain. Unique tokens are counted by collection.
            </p>
            <ScrollArea aria-label="Tokens on both chains">
              <table className="figures w-full min-w-[46rem]">
                <caption className="display pb-4 text-left text-2xl">Token by token</caption>
                <thead>
                  <tr className="caption border-b border-line text-bone-muted">
                    <th scope="col" className="pb-2 pr-4 text-left">
                      Collection
                    </th>
                    <th scope="col" className="pb-2 pr-4 text-left">
                      Token
                    </th>
                    {columns.map(([key, name]) => (
                      <th key={key} scope="col" className="pb-2 pl-4 text-right">
                        {name}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {data.tokens.map((token) => (
                    <Row key={`${token.contract} ${token.tokenId}`} token={token} />
                  ))}
                </tbody>
              </table>
            </ScrollArea>
            <Contracts tokens={data.tokens} />
          </>
        ) : error ? (
          <DidNotLoad what="The comparison" error={error} onRetry={refetch} />
        ) : (
          <Skeleton className="h-96" />
        )}
      </div>
    </section>
  );
}
