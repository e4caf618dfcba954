import type { ComponentProps } from "react";
import { ButtonLink } from "~/components/ui/button";
import { cn } from "~/lib/cn";
import { paths } from "~/lib/paths";
import { useStore } from "~/lib/store";
import { session } from "../store";

/**
 * A quiet link to the registration, and for a player to what they own. It is as wide as the wider of its two texts: who is
 * signed in is known only after the page is shown, and nothing may move then.
 */
export function JoinLink({ children, ...props }: Pick<ComponentProps<typeof ButtonLink>, "size" | "children">) {
  const isAuthenticated = useStore(session, (s) => s.isAuthenticated);
  return (
    <ButtonLink {...props} to={isAuthenticated ? paths.inventory : paths.register()} kind="quiet">
      <span className="grid text-center *:[grid-area:1/1]">
        <span aria-hidden={isAuthenticated} className={cn(isAuthenticated && "invisible")}>
          {children}
        </span>
        <span aria-hidden={!isAuthenticated} className={cn(!isAuthenticated && "invisible")}>
          What I own
        </span>
      </span>
    </ButtonLink>
  );
}
