import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { notifyUntil, takeBack } from "~/components/ui/toasts";
import { statusQuery } from "./queries";
import { impairedTexts } from "./texts";

const id = "status";

function Impaired({ texts }: { texts: string[] }) {
  return (
    <span role="status">
      <span className="block">Some things do not work just now</span>
      {texts.map((text) => (
        <span key={text} className="block text-sm text-bone-muted">
          {text}
        </span>
      ))}
    </span>
  );
}

/** Shows a notice while features of the site are impaired. It comes back when another one is. */
export function useStatusNotice(): void {
  const { data } = useQuery(statusQuery());
  const shown = (data ?? []).filter((feature) => feature in impairedTexts).join(" ");
  useEffect(() => {
    if (shown === "") return;
    notifyUntil(id, <Impaired texts={shown.split(" ").map((feature) => impairedTexts[feature] ?? "")} />);
    return () => takeBack(id);
  }, [shown]);
}
