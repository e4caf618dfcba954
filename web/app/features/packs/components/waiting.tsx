import type { Burning } from "~/features/burning/burn";
import type { Reward } from "~/features/reward/queries";
import { useNow } from "~/lib/clock";
import { clock } from "~/lib/format";
import { isSealed } from "../openings";

const burnText: Record<Burning["state"], string> = {
  sending: "Signing and sending, without gas.",
  waiting: "Another operation of yours goes first. This one follows by itself.",
  confirming: "Sent. Waiting for the chain.",
  late: "This takes longer than usual. It goes on by itself, also without this page.",
  burned: "Burned. Waiting for the chain to make it final.",
  failed: "",
};

/** What is waited for before packs are drawn, in a line. */
export function Waiting({ burning, openings }: { burning: Burning | undefined; openings: Reward[] }) {
  const now = useNow();
  const reward = openings.find(isSealed);
  const next = reward?.steps.find(({ at }) => !at);
  if (!next) return burnText[burning?.state ?? "burned"];
  const left = next.expected ? Date.parse(next.expected) - now : 0;
  const { round, nonce } = reward?.opening ?? {};
  const bought = nonce !== undefined;
  // When the anchor's block is final, and with it the time of the round, is not known yet.
  const when = now === 0 || (bought && !round) ? "" : left > 0 ? ` In about ${clock(left)}.` : " Any moment now.";
  return (
    <>
      {next.step === "drawn" && round
        ? `Round ${round.toLocaleString("en")} of the beacon decides.`
        : bought
          ? "Paid. Next its record goes on the chain, and that block names the round."
          : "Burned. The chain makes it final."}
      <span role="timer" aria-live="off">
        {when}
      </span>
    </>
  );
}
