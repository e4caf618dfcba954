import { Form } from "~/components/ui/form";
import { ApiError, messageOf } from "~/lib/api/problem";
import { useLinkToken } from "~/lib/link-token";

interface LinkFormProps {
  /** The button's label. */
  action: string;
  /** What the link is for. */
  act: (token: string) => Promise<void>;
  /** Called with the reason when the link works no more. */
  onRefused: (reason: string) => void;
  /** The statuses that say so; 404 by default. */
  refusals?: number[];
}

/** Does what the link of an email is for, whoever is signed in. It takes a press: programs that read mail open links too. */
export function LinkForm({ action, act, onRefused, refusals = [404] }: LinkFormProps) {
  const token = useLinkToken();
  const submit = async () => {
    if (!token) return onRefused("The link is incomplete. Open it from our email again.");
    try {
      await act(token);
    } catch (error) {
      if (!(error instanceof ApiError) || !refusals.includes(error.status)) throw error;
      onRefused(messageOf(error));
    }
  };
  return (
    <Form rules={{}} action={action} onSubmit={submit}>
      {() => null}
    </Form>
  );
}
