import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { seasonAvatar as face } from "#brand/pictures";
import { Button } from "~/components/ui/button";
import { FailedLine } from "~/components/ui/failed-line";
import { useWalletAddress } from "~/features/wallet/balance";
import { messageOf } from "~/lib/api/problem";
import { cn } from "~/lib/cn";
import { avatarQuery, useClaimAvatar } from "../avatar";
import { pausedText, useClaimsPaused } from "../use-paused";

/**
 * The season avatar of the player's wallet: offers it, and follows the claim until the avatar is among the others. Shows
 * nothing where there is none to claim.
 */
export function SeasonAvatar({ className }: { className?: string }) {
  const { data, error, refetch } = useQuery(avatarQuery(useWalletAddress()));
  const claim = useClaimAvatar();
  const paused = useClaimsPaused();
  const outcome = useRef<HTMLParagraphElement>(null);
  const state = data?.reward?.state;
  const claimedNow = claim.isSuccess && data?.claimed === true;
  // The button is gone: the outcome takes its focus.
  useEffect(() => {
    if (claimedNow) outcome.current?.focus();
  }, [claimedNow]);
  if (!data) {
    if (!error) return null;
    return (
      <div className={className}>
        <FailedLine onRetry={refetch}>Whether you can claim a season avatar did not load.</FailedLine>
      </div>
    );
  }
  if (data.claimed ? state === "done" && !claim.isSuccess : !data.claimable) return null;
  return (
    <section
      aria-labelledby="season-avatar"
      className={cn("grid grid-cols-[6rem_minmax(0,1fr)] items-center gap-x-6 sm:grid-cols-[9rem_minmax(0,1fr)]", className)}
    >
      <img src={face} alt="" width={680} height={740} className="w-full" />
      <div>
        <h2 id="season-avatar" className="display text-3xl">
          Your season avatar
        </h2>
        {data.claimed ? (
          <p
            ref={outcome}
            tabIndex={-1}
            role="status"
            className={cn("mt-2 max-w-xl outline-none", state === "failed" ? "text-bad" : "text-bone-muted")}
          >
            {state === "done" && "It is yours. It is among your avatars, and stays with this wallet."}
            {state === "failed" && "It could not be sent. We are looking into it."}
            {state !== "done" && state !== "failed" && "It is on its way, and appears among your avatars in a moment."}
          </p>
        ) : (
          <>
            <p className="mt-2 max-w-xl text-bone-muted">
              {paused
                ? pausedText
                : "One portrait for each wallet, and yours is not claimed yet. It costs nothing, and it stays with your wallet."}
            </p>
            {!paused && (
              <Button className="mt-4" size="small" busy={claim.isPending} onClick={() => claim.mutate()}>
                Claim your avatar
              </Button>
            )}
          </>
        )}
        {claim.error && !data.claimed && (
          <p role="alert" className="mt-3 text-bad">
            {messageOf(claim.error)}
          </p>
        )}
      </div>
    </section>
  );
}
