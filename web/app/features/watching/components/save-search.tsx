import { useState } from "react";
import { Button } from "~/components/ui/button";
import { Dialog } from "~/components/ui/dialog";
import { Field } from "~/components/ui/field";
import { Form } from "~/components/ui/form";
import { notify } from "~/components/ui/toasts";
import { collectionName } from "~/features/market/collections";
import { filtersInWords, type SearchFilters, saveSearch } from "../queries";

/** The most characters of a search's name. */
const longestName = 60;

const nameProblem = (name: string) =>
  !name.trim() ? "Give the search a name." : name.trim().length > longestName ? `Use at most ${longestName} characters.` : undefined;

/** The button that saves a search, and the dialog that asks what to call it and whether to alert the player. */
export function SaveSearch({ filters }: { filters: SearchFilters }) {
  const [open, setOpen] = useState(false);
  const [alerts, setAlerts] = useState(true);
  const words = filtersInWords(filters, collectionName);
  return (
    <>
      <Button kind="quiet" size="small" onClick={() => setOpen(true)}>
        Save this search
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title="Save this search" description={words}>
        <div className="p-6">
          <Form
            rules={{ name: nameProblem }}
            action="Save"
            onSubmit={async ({ name }) => {
              await saveSearch(name.trim(), filters, alerts);
              setOpen(false);
              notify("success", "Search saved", alerts ? "You are notified of new matches." : "It is on your watchlist.");
            }}
          >
            {(errors) => (
              <>
                <Field label="Name" name="name" defaultValue={words.slice(0, longestName)} maxLength={longestName} autoComplete="off" error={errors.name} />
                <label className="flex min-h-11 cursor-pointer items-center gap-3">
                  <input type="checkbox" checked={alerts} onChange={({ target }) => setAlerts(target.checked)} className="size-5 shrink-0 accent-ember" />
                  Notify me of new matches
                </label>
              </>
            )}
          </Form>
        </div>
      </Dialog>
    </>
  );
}
