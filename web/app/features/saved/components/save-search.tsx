import { type ComponentType, useState } from "react";
import { Button } from "~/components/ui/button";
import { notify } from "~/components/ui/toasts";
import { report } from "~/lib/report";
import type { SearchFilters } from "../queries";
import type { SaveDialogProps } from "./save-dialog";

/** The button that saves a search. Its dialog is loaded when it is first pressed. */
export function SaveSearch({ filters }: { filters: SearchFilters }) {
  const [Dialog, setDialog] = useState<ComponentType<SaveDialogProps>>();
  const [loading, setLoading] = useState(false);
  const [open, setOpen] = useState(false);
  const onPress = async () => {
    setLoading(true);
    try {
      const { SaveDialog } = await import("./save-dialog");
      setDialog(() => SaveDialog);
      setOpen(true);
    } catch (error) {
      report("saved searches: the dialog did not load", error);
      notify("error", "That did not load", "Check your connection and try again. If it does not help, load the page again.");
    } finally {
      setLoading(false);
    }
  };
  return (
    <>
      <Button kind="quiet" size="small" busy={loading} onClick={() => void onPress()}>
        Save this search
      </Button>
      {Dialog && <Dialog filters={filters} open={open} onOpenChange={setOpen} />}
    </>
  );
}
