import { useEffect, useRef } from "react";
import { accountDeleted as sea } from "#brand/pictures";
import { PageHero } from "~/components/site/page-hero";
import { ButtonLink } from "~/components/ui/button";
import { paths } from "~/lib/paths";

/** Confirms that the account is deleted. */
export function AccountDeleted() {
  const words = useRef<HTMLDivElement>(null);
  useEffect(() => words.current?.focus(), []);
  return (
    <div ref={words} tabIndex={-1} className="outline-none">
      <PageHero
        caption="Fair winds"
        heading="Your account is deleted"
        picture={{ src: sea, width: 600, height: 800 }}
        lead="Your name, your wallet's key and your data in this browser are deleted. What is still in the wallet is out of reach."
        actions={
          <ButtonLink to={paths.home} kind="quiet">
            To the home page
          </ButtonLink>
        }
      />
    </div>
  );
}
