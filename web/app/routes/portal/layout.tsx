import { useEffect } from "react";
import { Outlet } from "react-router";
import { PageLoader } from "~/components/ui/loader";
import { keys, write } from "~/lib/storage";
import { PlayerArea } from "../player-area";

/** The frame of a player's own pages. */
export default function Portal() {
  useEffect(() => write(keys.marketplaceTheme, null), []);
  return (
    <PlayerArea loader={<PageLoader className="min-h-[70svh]" />}>
      <Outlet />
    </PlayerArea>
  );
}
