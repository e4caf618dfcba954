import { plural } from "~/lib/format";
import { asExpected, inWords, percent } from "../chance";
import type { TableOdds } from "../queries";

/** What was drawn by an edition, beside what it promises. */
export function Results({ table }: { table: TableOdds }) {
  const { free, openings, test, results, drops } = table;
  const pitied = openings - free;
  const names = new Map(drops.map(({ id, name }) => [id, name]));
  const scale = Math.max(...results.map(({ promised, high }) => Math.max(promised, free > 0 ? high : 0)));
  return (
    <>
      <p className="mt-5">
        {plural(free, "free draw")} and {plural(pitied, "draw")} by the pity rule.
      </p>
      {test ? (
        <p className="mt-2 max-w-[44rem]">
          All drops together: <strong>{asExpected(test.p)}</strong>. If the promise is true, chance alone makes a difference at least this
          large in {inWords(test.p)} series of draws.{" "}
          <span className="text-bone-muted">
            Chi-square {test.statistic.toLocaleString("en", { maximumFractionDigits: 2 })} with {plural(test.degrees, "degree")} of freedom,
            p = {test.p.toLocaleString("en", { maximumSignificantDigits: 2 })}
            {test.simulated && ", found by simulated series of draws"}.
          </span>
        </p>
      ) : (
        <p className="mt-2 max-w-[44rem]">Too few openings for a verdict.</p>
      )}
      <table className="figures mt-6 w-full max-w-[70rem]">
        <caption className="sr-only">What was promised and what was drawn</caption>
        <thead>
          <tr className="caption text-left text-bone-muted">
            <th scope="col" className="pb-2 pr-3">
              Drop
            </th>
            <th scope="col" className="pb-2 pr-3 text-right max-sm:hidden">
              Promised
            </th>
            <th scope="col" className="pb-2 pr-6 text-right max-sm:hidden">
              Given
            </th>
            <th scope="col" className="w-1/2 pb-2 sm:w-3/5">
              Of the free draws
            </th>
          </tr>
        </thead>
        <tbody>
          {results.map(({ id, promised, drawn, hit, low, high }) => (
            <tr key={id} className="border-t border-line align-top">
              <th scope="row" className="py-2 pr-3 text-left font-normal">
                {names.get(id) ?? id}
                <span className="block text-sm text-bone-muted sm:hidden">
                  promised {percent(promised)}, given {drawn.toLocaleString("en")}
                </span>
              </th>
              <td className="py-2 pr-3 text-right max-sm:hidden">{percent(promised)}</td>
              <td className="py-2 pr-6 text-right max-sm:hidden">{drawn.toLocaleString("en")}</td>
              <td className="py-2">
                {free > 0 ? (
                  <div className="items-center gap-6 sm:flex">
                    <Whisker promised={promised / scale} share={hit / free / scale} low={low / scale} high={high / scale} />
                    <span className="block shrink-0 text-sm text-bone-muted sm:w-56">
                      {percent(hit / free)}, from {percent(low, 2)} to {percent(high, 2)}
                      {isOutside(promised, low, high) && ": not as promised"}
                    </span>
                  </div>
                ) : (
                  <span className="text-bone-muted">none yet</span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

const isOutside = (promised: number, low: number, high: number) => promised < low || promised > high;

/** An interval with the share in it and the promised share. All are from 0 to 1; the text beside it says the same. */
function Whisker({ promised, share, low, high }: { promised: number; share: number; low: number; high: number }) {
  const at = (x: number) => `${(1 + 98 * Math.min(1, x)).toFixed(2)}%`;
  return (
    <svg width="100%" height="22" aria-hidden="true" className={isOutside(promised, low, high) ? "text-bad" : "text-good"}>
      <line x1={at(0)} x2={at(1)} y1="11" y2="11" stroke="var(--color-line)" />
      <g stroke="currentColor" strokeWidth="2">
        <line x1={at(low)} x2={at(high)} y1="11" y2="11" />
        <line x1={at(low)} x2={at(low)} y1="7" y2="15" />
        <line x1={at(high)} x2={at(high)} y1="7" y2="15" />
      </g>
      <line x1={at(promised)} x2={at(promised)} y1="2" y2="20" stroke="var(--color-bone)" strokeWidth="2" />
      <circle cx={at(share)} cy="11" r="4" fill="currentColor" stroke="var(--color-night)" strokeWidth="1" />
    </svg>
  );
}
