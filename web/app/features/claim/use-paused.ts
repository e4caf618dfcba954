import { useFlag, useFlagsMissing } from "~/features/flags/store";

/** Whether claiming is known to be switched off. The server decides; without flags it is asked. */
export function useClaimsPaused(): boolean {
  const missing = useFlagsMissing();
  return useFlag("claims") === false && !missing;
}

/** What is said then. */
export const pausedText = "Claiming is paused for now. What is yours stays yours. Please try again later.";
