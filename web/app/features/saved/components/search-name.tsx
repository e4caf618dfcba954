import { Field } from "~/components/ui/field";
import { rules } from "~/lib/rules";

/** Why the name of a saved search is refused. */
export const nameProblem = (name: string) =>
  !name.trim()
    ? "Give the search a name."
    : name.trim().length > rules.searchName
      ? `Use at most ${rules.searchName} characters.`
      : undefined;

/** The field with the name of a saved search. */
export function NameField({ name, error }: { name: string; error: string | undefined }) {
  return (
    <Field
      label="Name"
      name="name"
      defaultValue={name.slice(0, rules.searchName)}
      maxLength={rules.searchName}
      autoComplete="off"
      error={error}
    />
  );
}
