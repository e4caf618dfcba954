import { NavLink } from "react-router";
import { Drawing } from "~/components/ui/icon";
import { cn } from "~/lib/cn";
import { paths } from "~/lib/paths";
import { useUnread } from "../queries";

/** The most that is shown as a number. */
const most = 99;

/** A link to the player's notifications, with how many are unread. */
export function Bell({ className }: { className?: string }) {
  const unread = useUnread();
  return (
    <NavLink
      to={paths.notifications}
      className={cn("relative grid size-11 shrink-0 place-items-center rounded hover:bg-night-2 aria-[current=page]:text-ember", className)}
    >
      <span className="sr-only">Notifications{unread > 0 && `, ${unread} unread`}</span>
      <Drawing size={22}>
        <path d="M6 16V11a6 6 0 0 1 12 0v5l1.5 2h-15L6 16Zm4 4.5h4" />
      </Drawing>
      {unread > 0 && (
        <span
          aria-hidden="true"
          className={
            "figures absolute right-0 top-0.5 min-w-5 rounded-full bg-ember px-1 text-center text-xs font-bold leading-5 " +
            "text-ember-ink"
          }
        >
          {unread > most ? `${most}+` : unread}
        </span>
      )}
    </NavLink>
  );
}
