import { TextLink } from "~/components/ui/link";
import { useConfigured } from "~/features/config/use-configured";

/** Says where the mail of a development server is. */
export function DevelopmentMailbox() {
  const { on } = useConfigured("mailbox");
  return (
    on && (
      <>
        This is a development server: its mail is shown at{" "}
        <TextLink to="/dev/mail" target="_blank">
          /dev/mail
        </TextLink>
        .
      </>
    )
  );
}
