import { encode } from "uqr";

/** The light border that readers need, in modules (ISO/IEC 18004). */
const border = 4;

/** The QR code of a wallet's address. The address stands beside it for those who do not see it. */
export default function QrCode({ address }: { address: string }) {
  const { data, size } = encode(address, { ecc: "M", border });
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label="QR code of your wallet's address"
      shapeRendering="crispEdges"
      className="size-60 rounded"
    >
      <path d={`M0 0h${size}v${size}H0z`} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
