import { Link } from "react-router";
import { linkLook } from "~/components/ui/link";
import { useRead } from "../query";
import { useMay } from "../session";
import type { SupportRequest, SupportRequests } from "../types";
import { Nothing, Page } from "../ui/page";
import { Read } from "../ui/read";
import { Time } from "../ui/values";

/** What people wrote to the support. */
export function Support() {
  const query = useRead<SupportRequests>("support");
  return (
    <Page heading="Support">
      <Read query={query} what="The requests" rows={6}>
        {({ items }) =>
          items.length === 0 ? (
            <Nothing>Nobody has written.</Nothing>
          ) : (
            <div className="border-y border-line">
              {items.map((request) => (
                <Request key={request.id} {...request} />
              ))}
            </div>
          )
        }
      </Read>
    </Page>
  );
}

function Request({ email, topic, message, createdAt }: SupportRequest) {
  const may = useMay();
  return (
    <article className="grid gap-1.5 border-b border-line py-3 last:border-b-0">
      <h2 className="display [overflow-wrap:anywhere]">{topic}</h2>
      <p className="flex flex-wrap gap-x-4 text-sm text-bone-muted">
        <span className="[overflow-wrap:anywhere]">{email}</span>
        <Time at={createdAt} />
        {may("player show") && (
          <Link to="/players" state={{ search: email }} aria-label={`Find the player ${email}`} className={linkLook}>
            Find the player
          </Link>
        )}
      </p>
      <p className="max-w-prose whitespace-pre-wrap text-sm [overflow-wrap:anywhere]">{message}</p>
    </article>
  );
}
