import { playerNow } from "~/features/session/player";
import { onSessionEnd } from "~/features/session/session";
import { rules } from "~/lib/rules.gen";
import { tabKeys } from "~/lib/tab-keys";
import { keepForTab, readFromTab } from "~/lib/tab-storage";

/** A code that was requested by mail. */
export interface AskedCode {
  /** What it is for. */
  to: "confirm" | "delete";
  /** Where the mail goes. */
  email: string;
  /** When it was requested, in milliseconds since 1970. */
  at: number;
}

/**
 * Stores the code that was requested last, for this tab: a phone may reload the page while its player reads the mail. Undefined
 * removes it.
 */
export function keepAskedCode(asked: AskedCode | undefined): void {
  keepForTab(tabKeys.code, asked ? JSON.stringify({ player: playerNow(), ...asked }) : null);
}

/** The code that the signed-in player requested in this tab for a purpose; undefined if there is none that can still be good. */
export function keptAskedCode(to: AskedCode["to"]): AskedCode | undefined {
  try {
    const { player, ...asked } = JSON.parse(readFromTab(tabKeys.code) ?? "{}") as AskedCode & { player?: unknown };
    const isGood = asked.to === to && Date.now() - asked.at < rules.codeMinutes * 60_000 && typeof asked.email === "string";
    return player === playerNow() && isGood ? asked : undefined;
  } catch {
    return undefined;
  }
}

onSessionEnd(() => keepAskedCode(undefined));
