import { lazy, Suspense, useState } from "react";
import { Button } from "~/components/ui/button";
import type { SearchFilters } from "../queries";

const SaveDialog = lazy(() => import("./save-dialog"));

/** The button that saves a search. Its dialog is loaded when it is first pressed. */
export function SaveSearch({ filters }: { filters: SearchFilters }) {
  const [wanted, setWanted] = useState(false);
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        kind="quiet"
        size="small"
        onClick={() => {
          setWanted(true);
          setOpen(true);
        }}
      >
        Save this search
      </Button>
      {wanted && (
        <Suspense>
          <SaveDialog filters={filters} open={open} onOpenChange={setOpen} />
        </Suspense>
      )}
    </>
  );
}
