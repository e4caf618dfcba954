import type { ReactNode } from "react";
import { Link } from "react-router";
import { CopyIconButton } from "~/components/ui/copyable";
import { linkLook } from "~/components/ui/link";
import { cn } from "~/lib/cn";
import { dateTime } from "~/lib/time";
import { part } from "../api";
import { useMay } from "../session";

/** A time in the browser's zone, with the exact one in UTC as its title. */
export function Time({ at }: { at: string }) {
  return (
    <time dateTime={at} title={utc(at)} className="whitespace-nowrap">
      {dateTime(at)}
    </time>
  );
}

/** A time in UTC to the second: "2027-01-31 14:05:09 UTC". */
export function utc(at: string): string {
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? at : `${time.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** The class of ids and hashes: as much as there is room for, up to some 20 characters. */
const identLook = "inline-block max-w-44 overflow-hidden text-ellipsis whitespace-nowrap align-bottom font-mono text-xs leading-[inherit]";

interface IdentProps {
  text: string;
  /** What it is, with a button that copies it: "address". */
  copy?: string;
  /** The page that it leads to. */
  to?: string | false;
  /** Shows all of it. */
  whole?: boolean;
}

/** An id, an address or a hash. */
export function Ident({ text, copy, to, whole = false }: IdentProps) {
  const look = whole ? "font-mono text-xs [overflow-wrap:anywhere]" : identLook;
  return (
    <span className="inline-flex max-w-full items-center">
      {to ? (
        <Link to={to} title={text} className={cn(look, linkLook)}>
          {text}
        </Link>
      ) : (
        <span title={text} className={look}>
          {text}
        </span>
      )}
      {copy && <CopyIconButton text={text} what={copy} />}
    </span>
  );
}

/** A player's id, which leads to the page for roles that may see it. */
export function PlayerLink({ id }: { id: string }) {
  const may = useMay();
  return <Ident text={id} to={may("player show") && `/players/${part(id)}`} />;
}

const good = ["done", "confirmed", "completed", "paid"];
const bad = ["failed", "refused", "reverted", "frozen"];

/** A state as the server names it, coloured if it is an outcome. */
export function State({ children }: { children: string }) {
  return (
    <span className={cn("whitespace-nowrap", good.includes(children) && "text-good", bad.includes(children) && "text-bad")}>
      {children}
    </span>
  );
}

/** Facts with their names. Those without a value are left out. */
export function Facts({ facts }: { facts: [string, ReactNode][] }) {
  return (
    <dl className="grid grid-cols-[minmax(0,1fr)] border-y border-line text-sm sm:grid-cols-[10rem_minmax(0,1fr)]">
      {facts
        .filter(([, value]) => value !== undefined && value !== null && value !== "" && value !== false)
        .map(([name, value]) => (
          <div key={name} className="col-span-full grid grid-cols-subgrid gap-x-4 border-b border-line py-2 last:border-b-0">
            <dt className="caption pt-px text-bone-muted">{name}</dt>
            <dd className="min-w-0 [overflow-wrap:anywhere]">{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** Data as it is stored, as text. */
export function Data({ value }: { value: unknown }) {
  if (value === undefined || value === null || value === "") return null;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return <span className="font-mono text-xs text-bone-muted [overflow-wrap:anywhere]">{text}</span>;
}

/** A count that ends at 1000. */
export const count = (n: number): string => (n >= 1000 ? "1000+" : String(n));
