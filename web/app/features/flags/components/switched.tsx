import { type ReactNode, useState } from "react";

interface SwitchedProps {
  /** Whether its flag is on; undefined while that is unknown. */
  on: boolean | undefined;
  /** Shown while it is off. */
  instead: ReactNode;
  children: ReactNode;
}

/** What a flag switches off. What was typed into it is there again when it is on again. */
export function Switched({ on, instead, children }: SwitchedProps) {
  const off = on === false;
  const [begun, setBegun] = useState(!off);
  if (!off && !begun) setBegun(true);
  return (
    <>
      {off && instead}
      {begun && <div hidden={off}>{children}</div>}
    </>
  );
}
