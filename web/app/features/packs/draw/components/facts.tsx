import { ExternalLink, linkLook } from "~/components/ui/link";
import type { Fact } from "../steps";

/** Names with their values; hashes may break anywhere. */
export function Facts({ facts }: { facts: Fact[] }) {
  return (
    <dl className="grid gap-x-6 sm:grid-cols-[13rem_minmax(0,1fr)] sm:gap-y-2">
      {facts.map(({ name, value, code, href }, index) => {
        const text = code ? <code className="break-all text-sm">{value}</code> : value;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes, and may have the same entry twice
          <div key={index} className="contents">
            <dt className="break-words text-bone-muted">{name}</dt>
            <dd className="figures min-w-0 break-words max-sm:mb-2">
              {href ? (
                <ExternalLink href={href} className={linkLook}>
                  {text}
                </ExternalLink>
              ) : (
                text
              )}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
