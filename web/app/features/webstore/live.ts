import { useEffect } from "react";
import { onMessage } from "~/features/realtime/messages";
import { session } from "~/features/session/store";
import { queryClient } from "~/lib/query";
import { webstoreKeys } from "./queries";

/** Refetches products and orders on messages of the realtime channel while the component is mounted. */
export function useLiveWebstore(): void {
  useEffect(() => {
    const stops = [
      onMessage("webstore", ({ type, payload }) => {
        if (type === "refetch-products" && payload.userId === session.get().profile?.AccountInfo.PlayFabId) {
          void queryClient.invalidateQueries({ queryKey: webstoreKeys.all });
        }
      }),
      onMessage("reward", ({ payload: { origin } }) => {
        if (origin === "webstore") void queryClient.invalidateQueries({ queryKey: webstoreKeys.orders() });
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, []);
}
