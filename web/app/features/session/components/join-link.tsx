import type { ComponentProps } from "react";
import { ButtonLink } from "~/components/ui/button";
import { paths } from "~/lib/paths";
import { useStore } from "~/lib/store";
import { session } from "../store";

/** A quiet link to the registration, and for a player to what they own. */
export function JoinLink({ children, ...props }: Pick<ComponentProps<typeof ButtonLink>, "size" | "children">) {
  const isAuthenticated = useStore(session, (s) => s.isAuthenticated);
  return (
    <ButtonLink {...props} to={isAuthenticated ? paths.inventory : paths.register()} kind="quiet">
      {isAuthenticated ? "What I own" : children}
    </ButtonLink>
  );
}
