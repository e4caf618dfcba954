import { useEffect, useRef, useState } from "react";
import { Button } from "~/components/ui/button";
import { linkLook } from "~/components/ui/link";
import { useMoveBanner } from "~/features/moving/banner";
import { session } from "~/features/session/store";
import { cn } from "~/lib/cn";
import { paths } from "~/lib/paths";
import { report } from "~/lib/report";
import { useStore } from "~/lib/store";
import { closedBanners, storeClosed } from "../closed";
import { loadNews } from "../queries";
import { NewsText } from "./text";

/** The refetch interval in milliseconds: a tab may be open for days. */
const refreshEvery = 10 * 60_000;

interface Banner {
  id: string;
  title: string;
  html?: string;
  link: { href: string; text: string };
}

/** The news that are banners, and were not closed. They are refetched when the player signs in or out. */
function useNews(): Banner[] {
  const isPlayer = useStore(session, (s) => s.isAuthenticated);
  const [items, setItems] = useState<Banner[]>([]);
  useEffect(() => {
    const reader = isPlayer; // banners can differ for players and visitors
    setItems([]);
    let isOver = false;
    const load = () =>
      loadNews({ banners: true }).then(
        (all) => {
          const link = { href: paths.news, text: "All news" };
          const open = all.filter(({ id, banner }) => banner && !closedBanners().includes(id));
          if (!isOver) setItems(open.map(({ id, title, html }) => ({ id, title, html, link })));
        },
        (error: unknown) => report(`news: not loaded for ${reader ? "a player" : "a visitor"}`, error),
      );
    void load();
    const timer = setInterval(load, refreshEvery);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [isPlayer]);
  return items;
}

/** The banners that this browser has not closed: of a chain that moves first, then the news. */
function useBanners() {
  const [closed, setClosed] = useState(closedBanners);
  const move = useMoveBanner();
  const news = useNews();
  const ofMove = move ? [{ id: move.id, title: move.title, link: { href: paths.move, text: move.link } }] : [];
  const items: Banner[] = [...ofMove, ...news].filter(({ id }) => !closed.includes(id));
  const close = (id: string) => {
    storeClosed(id);
    setClosed((now) => [...now, id]);
  };
  return { item: items[0], left: items.length, close };
}

/** The banners, one at a time, fixed to the bottom of the window. The page gets padding of the same height, so nothing is covered. */
export function Banners() {
  const { item, left, close } = useBanners();
  const bar = useRef<HTMLElement>(null);
  const id = item?.id;
  useEffect(() => {
    if (!id || !bar.current) return;
    const height = `${bar.current.offsetHeight}px`;
    const { body, documentElement } = document;
    body.style.paddingBottom = height;
    documentElement.style.scrollPaddingBottom = height;
    return () => {
      body.style.paddingBottom = "";
      documentElement.style.scrollPaddingBottom = "";
    };
  }, [id]);
  if (!item) return null;
  return (
    <section
      ref={bar}
      aria-label="Announcement"
      className="fixed inset-x-0 bottom-0 z-20 max-h-[40svh] overflow-y-auto border-t border-bronze-dim bg-night-1"
    >
      <div className="mx-auto flex max-w-[100rem] items-start gap-x-8 gap-y-3 px-4 py-4 max-sm:flex-col sm:px-8">
        <div role="status" className="min-w-0 flex-1">
          <p className="font-bold">{item.title}</p>
          {item.html && <NewsText html={item.html} className="mt-1 text-bone-muted" />}
        </div>
        <a href={item.link.href} className={cn(linkLook, "flex min-h-11 items-center")}>
          {item.link.text}
        </a>
        <Button
          kind="quiet"
          size="small"
          onClick={() => {
            close(item.id);
            if (left === 1) document.querySelector<HTMLElement>("main")?.focus();
          }}
          aria-label={`Close: ${item.title}`}
        >
          Close
        </Button>
      </div>
    </section>
  );
}
