import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { useLocation } from "react-router";
import { Field } from "~/components/ui/field";
import { Form } from "~/components/ui/form";
import { DidNotLoad, Skeleton } from "~/components/ui/states";
import { ApiError, messageOf } from "~/lib/api/problem";
import { useNavigate } from "~/lib/navigation";
import { makePasskey } from "~/lib/passkey";
import { post } from "../api";
import { forget, takeSession } from "../session";
import { Alone } from "../shell";
import type { InvitationAnswer, InvitationOptions, InvitationToken, Session } from "../types";
import { useTitle } from "../ui/page";
import { passkeyNameProblem } from "../validate";

let kept = "";

/**
 * The token of the invitation's link. It is a credential: it leaves the address at once, where it could be seen, copied or stored,
 * and is kept in memory.
 */
export function takeToken(): string {
  if (location.hash.length > 1) {
    kept = location.hash.slice(1);
    history.replaceState(history.state, "", location.pathname + location.search);
  }
  return kept;
}

/** Forgets the token. */
export function forgetToken(): void {
  kept = "";
}

/** The page of an invitation. */
export function Join() {
  useTitle("Invitation");
  const [token, setToken] = useState(takeToken);
  const { hash } = useLocation();
  useEffect(() => {
    if (hash) setToken(takeToken()); // another link was opened on this page
  }, [hash]);
  if (!token) {
    return (
      <Refused>This page needs the whole link of an invitation. If you have opened it before, open the link again as it was sent.</Refused>
    );
  }
  return <Invited key={token} token={token} />;
}

const Refused = ({ children }: { children: ReactNode }) => (
  <Alone heading="Invitation">
    <p role="alert">{children}</p>
    <p className="text-sm text-bone-muted">Ask an owner for a new link.</p>
  </Alone>
);

function Invited({ token }: { token: string }) {
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery({
    queryKey: ["join", token],
    queryFn: () => post<InvitationOptions>("join/options", { token } satisfies InvitationToken),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const [gone, setGone] = useState("");
  if (gone) return <Refused>{gone}</Refused>;
  if (error && !data) {
    if (isFinal(error)) return <Refused>{messageOf(error)}</Refused>;
    return (
      <Alone heading="Invitation">
        <DidNotLoad what="The invitation" error={error} onRetry={refetch} />
      </Alone>
    );
  }
  if (!data) {
    return (
      <Alone heading="Invitation">
        <Skeleton className="h-60" />
      </Alone>
    );
  }
  return (
    <Alone heading={`Welcome, ${data.name}`}>
      <p>
        You are invited to this console with the role <strong>{data.role}</strong>. Create a passkey on this device: you sign in with your
        fingerprint, your face or the lock of the device.
      </p>
      {typeof PublicKeyCredential === "function" ? (
        <Form
          rules={{ passkeyName: passkeyNameProblem }}
          action="Create passkey"
          onSubmit={async ({ passkeyName }) => {
            try {
              // Those from before may be too old by now.
              const { options } = await post<InvitationOptions>("join/options", { token } satisfies InvitationToken);
              const response = await makePasskey(options);
              const answer: InvitationAnswer = { token, passkeyName: passkeyName.trim(), response };
              const session = await post<Session>("join", answer);
              forgetToken();
              forget();
              takeSession(session);
              await navigate("/", { replace: true });
            } catch (cause) {
              if (!isFinal(cause)) throw cause;
              setGone(messageOf(cause));
            }
          }}
        >
          {(errors) => (
            <Field
              label="Name of the passkey"
              name="passkeyName"
              autoComplete="off"
              spellCheck={false}
              hint="So that you know it again: work laptop, phone."
              error={errors.passkeyName}
            />
          )}
        </Form>
      ) : (
        <p role="alert" className="text-bad">
          Passkeys do not work in this browser. Open the link in another one.
        </p>
      )}
    </Alone>
  );
}

/** Whether the link is of no use: it is unknown, was used or replaced, or has expired. */
const isFinal = (error: unknown) => error instanceof ApiError && error.status === 404;
