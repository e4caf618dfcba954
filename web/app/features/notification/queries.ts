import { infiniteQueryOptions, queryOptions, useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { notify } from "~/components/ui/toasts";
import { onMessage } from "~/features/realtime/messages";
import { api, unwrap } from "~/lib/api/client";
import type { components } from "~/lib/api/schema.gen";
import { queryClient } from "~/lib/query";
import { detailOf, titleOf } from "./texts";

export type Notification = components["schemas"]["Notification"];

/** The prefix of the query keys. */
export const notificationsKey = ["notifications"] as const;

/** The player's notifications, newest first, page by page. */
export const notificationsQuery = infiniteQueryOptions({
  queryKey: [...notificationsKey, "all"],
  queryFn: ({ pageParam, signal }) =>
    unwrap(api.GET("/api/auth/notifications", { params: { query: pageParam ? { cursor: pageParam } : {} }, signal })),
  initialPageParam: "",
  getNextPageParam: (last) => last.nextCursor || undefined,
});

/** How many are unread, and the newest. */
const newestQuery = queryOptions({
  queryKey: [...notificationsKey, "newest"],
  queryFn: ({ signal }) => unwrap(api.GET("/api/auth/notifications", { params: { query: { limit: 1 } }, signal })),
});

/** How many of the player's notifications are unread; 0 while unknown. */
export function useUnread(): number {
  return useQuery(newestQuery).data?.unread ?? 0;
}

/** Whether unread notifications are emailed. */
export const settingsQuery = queryOptions({
  queryKey: [...notificationsKey, "settings"],
  queryFn: ({ signal }) => unwrap(api.GET("/api/auth/notifications/settings", { signal })),
});

/** Marks a notification and all older ones as read, on every device. */
export async function markRead(notificationId: string): Promise<void> {
  await unwrap(api.POST("/api/auth/notifications/read", { body: { notificationId } }));
  await queryClient.invalidateQueries({ queryKey: [...notificationsKey, "newest"] });
}

/** Chooses whether unread notifications are emailed. */
export async function emailNotifications(email: boolean): Promise<void> {
  await unwrap(api.PUT("/api/auth/notifications/settings", { body: { email } }));
  queryClient.setQueryData(settingsQuery.queryKey, { email });
}

/** Keeps the notifications up to date while the component is mounted, and shows each new one as a toast. */
export function useLiveNotifications(): void {
  const { data } = useQuery(newestQuery);
  const last = useRef<string>(undefined);
  useEffect(() => onMessage("notification", () => void queryClient.invalidateQueries({ queryKey: notificationsKey })), []);
  useEffect(() => {
    if (!data) return;
    const [newest] = data.items;
    const first = last.current === undefined;
    if (newest && !first && newest.notificationId !== last.current && !newest.read)
      notify(newest.kind === "sold" ? "success" : "blank", titleOf(newest), detailOf(newest));
    last.current = newest?.notificationId ?? "";
  }, [data]);
}
