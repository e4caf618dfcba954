import { useQuery } from "@tanstack/react-query";
import { FailedLine } from "~/components/ui/failed-line";
import { amount } from "~/lib/format";
import { historyQuery } from "../queries";

const width = 320;
const height = 84;
const inset = 6;

/** A line chart of a token's sale prices; nothing for fewer than two. */
export function PriceLine({ contract, tokenId }: { contract: string; tokenId: string }) {
  const { data, error, refetch } = useQuery(historyQuery(contract, tokenId));
  const points = data?.map((p) => ({ at: Date.parse(p.time), price: Number(p.price) })) ?? [];
  const first = points[0];
  const last = points.at(-1);
  if (!data && error) return <FailedLine onRetry={refetch}>The price history did not load.</FailedLine>;
  if (!first || !last || first === last) return null;
  const lowest = Math.min(...points.map((p) => p.price));
  const highest = Math.max(...points.map((p) => p.price));
  const x = (at: number) => inset + ((at - first.at) / Math.max(1, last.at - first.at)) * (width - 2 * inset);
  const y = (price: number) => height - inset - ((price - lowest) / Math.max(1e-9, highest - lowest)) * (height - 2 * inset);
  return (
    <figure>
      <figcaption className="caption mb-2 flex justify-between text-bone-muted">
        <span>Sold for</span>
        <span className="figures">
          {amount(String(lowest))} – {amount(String(highest))}
        </span>
      </figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} className="w-full" role="img" aria-label={`${points.length} sales, from ${lowest} to ${highest} USDC`}>
        <path d={`M0 ${height - 0.5}H${width}`} stroke="var(--color-line-strong)" />
        <polyline
          points={points.map((p) => `${x(p.at)},${y(p.price)}`).join(" ")}
          fill="none"
          stroke="var(--color-bronze)"
          strokeWidth="1.2"
          strokeDasharray="2 3"
        />
        {points.map((p) => (
          <circle key={`${p.at} ${p.price}`} cx={x(p.at)} cy={y(p.price)} r="2.6" fill="var(--color-night)" stroke="var(--color-bone)" strokeWidth="1.2" />
        ))}
      </svg>
    </figure>
  );
}
