import { useState } from "react";
import { Dialog } from "~/components/ui/dialog";
import { Form } from "~/components/ui/form";
import { notify } from "~/components/ui/toasts";
import { collectionName } from "~/features/market/collections";
import { filtersInWords, type SearchFilters, saveSearch } from "../queries";
import { NameField, nameProblem } from "./search-name";

export interface SaveDialogProps {
  filters: SearchFilters;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Asks what to call a search and whether to alert the player, and saves it. */
export function SaveDialog({ filters, open, onOpenChange }: SaveDialogProps) {
  const [alerts, setAlerts] = useState(true);
  const words = filtersInWords(filters, collectionName);
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Save this search" description={words}>
      <div className="p-6">
        <Form
          rules={{ name: nameProblem }}
          action="Save"
          onSubmit={async ({ name }) => {
            await saveSearch(name.trim(), filters, alerts);
            onOpenChange(false);
            notify("success", "Search saved", alerts ? "You are notified of new matches." : "It is on your watchlist.");
          }}
        >
          {(errors) => (
            <>
              <NameField name={words} error={errors.name} />
              <label className="flex min-h-11 cursor-pointer items-center gap-3">
                <input
                  type="checkbox"
                  checked={alerts}
                  onChange={({ target }) => setAlerts(target.checked)}
                  className="size-5 shrink-0 accent-ember"
                />
                Notify me of new matches
              </label>
              {filters.free && alerts && (
                <p className="text-sm text-bone-muted">You are notified of new offers, not of held ones that become free again.</p>
              )}
            </>
          )}
        </Form>
      </div>
    </Dialog>
  );
}
