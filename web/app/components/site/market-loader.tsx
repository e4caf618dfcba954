import { Spinner } from "../ui/spinner";

export function MarketLoader() {
  return (
    <div className="fixed inset-0 grid place-items-center bg-night">
      <Spinner color="var(--color-bronze)" size={72} />
    </div>
  );
}
