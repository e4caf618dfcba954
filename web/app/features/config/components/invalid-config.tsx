import { brand } from "#brand";
import { Button } from "~/components/ui/button";

/** Replaces the whole site if the server's configuration is invalid. */
export function InvalidConfigPage({ faults }: { faults: string[] }) {
  return (
    <main className="mx-auto grid min-h-svh max-w-3xl content-center gap-6 p-6 sm:p-10">
      <title>{`Invalid environment variables · ${brand.name}`}</title>
      <h1 className="display text-[clamp(2.75rem,7vw,5.5rem)]">Invalid environment variables</h1>
      <p className="max-w-xl text-lg">
        This server is not set up right, so nothing is shown that could go wrong. What you own is safe. If you run the server: these
        settings are missing or malformed.
      </p>
      <ul className="grid gap-1 border-l border-bronze-dim pl-6">
        {faults.map((fault) => (
          <li key={fault}>
            <code>{fault}</code>
          </li>
        ))}
      </ul>
      <Button kind="quiet" className="justify-self-start" onClick={() => location.reload()}>
        Look again
      </Button>
    </main>
  );
}
