import { useMutation } from "@tanstack/react-query";
import { useEffect } from "react";
import { Button } from "~/components/ui/button";
import { Dialog } from "~/components/ui/dialog";
import { TextLink } from "~/components/ui/link";
import { messageOf } from "~/lib/api/problem";
import { paths } from "~/lib/paths";
import { useStore } from "~/lib/store";
import { ageQuestion, confirmAge } from "../buyer";

const close = () => ageQuestion.set(ageQuestion.initial);
const decline = () => {
  const { declined } = ageQuestion.get();
  close();
  declined();
};

/** Asks for the player's age when the server needs it, once, and then goes on with the purchase. */
export function AgeDialog() {
  const proceed = useStore(ageQuestion, (q) => q.proceed);
  const confirm = useMutation({
    mutationFn: confirmAge,
    onSuccess: () => {
      close();
      proceed?.();
    },
  });
  useEffect(() => close, []);
  return (
    <Dialog
      open={proceed !== null}
      onOpenChange={(open) => open || decline()}
      title="Are you 18 or older?"
      description="Packs hold a random item, so they are sold to adults only. We ask once."
    >
      <div className="grid gap-4 p-6">
        <p>
          What each pack can hold, and how likely, is on the page of{" "}
          <TextLink to={paths.odds} onClick={close}>
            odds
          </TextLink>
          . We keep when you confirmed your age.
        </p>
        <p role="alert" className="text-bad empty:hidden">
          {confirm.error && messageOf(confirm.error)}
        </p>
        <div className="flex flex-wrap gap-3">
          <Button busy={confirm.isPending} onClick={() => confirm.mutate()}>
            I am 18 or older
          </Button>
          <Button kind="quiet" onClick={decline}>
            I am not
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
