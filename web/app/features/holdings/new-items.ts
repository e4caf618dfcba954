import { type InfiniteData, useQueryClient } from "@tanstack/react-query";
import { type RefObject, useEffect, useState } from "react";
import { api, unwrap } from "~/lib/api/client";
import type { components } from "~/lib/api/schema.gen";
import { report } from "~/lib/report";
import { listKey } from "./queries";

type GameItems = components["schemas"]["GameItems"];

/** How long new items must be on the screen to count as seen, in milliseconds. */
export const seenAfter = 1_500;

/**
 * The ids of the game items that are new: received since the player saw the game items, on any device
 * (userGameItems.newItems). They count as seen once the element was on the screen for a moment, but stay marked until
 * the component unmounts.
 */
export function useNewItems(newItems: string[] | undefined, element: RefObject<HTMLElement | null>): ReadonlySet<string> {
  const client = useQueryClient();
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const unseen = newItems?.join(" ") ?? "";
  useEffect(() => {
    if (!unseen) return;
    setMarked((known) => new Set([...known, ...unseen.split(" ")]));
    const shown = element.current;
    if (!shown) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const see = async () => {
      if (document.visibilityState !== "visible") return;
      try {
        await unwrap(api.POST("/api/auth/nft/gameItems/seen"));
      } catch (error) {
        report("inventory: new items not marked as seen", error);
        return; // they stay new
      }
      client.setQueryData<InfiniteData<GameItems>>(listKey("listGameItems"), (data) =>
        data ? { ...data, pages: data.pages.map((page) => ({ ...page, newItems: [] })) } : data,
      );
    };
    const observer = new IntersectionObserver(([entry]) => {
      clearTimeout(timer);
      if (entry?.isIntersecting) timer = setTimeout(() => void see(), seenAfter);
    });
    observer.observe(shown);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [unseen, element, client]);
  return marked;
}
