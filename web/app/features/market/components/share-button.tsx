import { Button } from "~/components/ui/button";
import { Drawing } from "~/components/ui/icon";
import { notify } from "~/components/ui/toasts";

/** Shares the page's address by the system's own dialog, or copies it where there is none. */
export function ShareButton({ title }: { title: string }) {
  const share = async () => {
    const url = window.location.origin + window.location.pathname;
    if (typeof navigator.share === "function") {
      try {
        await navigator.share({ title, url });
        return;
      } catch (error) {
        if (error instanceof DOMException && error.name === "AbortError") return; // the dialog was closed
      }
    }
    try {
      await navigator.clipboard.writeText(url);
      notify("success", "The link is copied");
    } catch {
      notify("error", "Your browser does not let this page copy", url);
    }
  };
  return (
    <Button kind="quiet" size="small" onClick={() => void share()}>
      <Drawing size={18}>
        <path
          d={
            "M16 6a2.5 2.5 0 1 1 5 0 2.5 2.5 0 0 1-5 0ZM3 12a2.5 2.5 0 1 1 5 0 2.5 2.5 0 0 1-5 0Zm13 6a2.5 2.5 0 1 1 5 0 " +
            "2.5 2.5 0 0 1-5 0ZM7.7 10.8l8.6-3.7M7.7 13.2l8.6 3.7"
          }
        />
      </Drawing>
      Share
    </Button>
  );
}
