import { session } from "./store";

/** The signed-in player; "" for none. Not in store.ts, which every page loads. */
export function playerNow(): string {
  return session.get().profile?.AccountInfo.PlayFabId ?? "";
}
