import { useState } from "react";
import { type Contract, fieldsOf, limitsOf, resolve, type Schema, typeOf } from "../contract";

interface FieldsProps {
  contract: Contract;
  schema: Schema;
}

/** The fields of an object, with those of nested objects, which are opened one at a time. */
export function Fields({ contract, schema }: FieldsProps) {
  return (
    <ul className="grid gap-3 border-l border-line pl-4">
      {Object.entries(schema.properties ?? {}).map(([name, field]) => (
        <li key={name}>
          <Value contract={contract} name={name} schema={field} required={schema.required?.includes(name) ?? false} />
        </li>
      ))}
    </ul>
  );
}

interface ValueProps extends FieldsProps {
  name: string;
  required: boolean;
  /** A description that is not in the schema. */
  description?: string | undefined;
}

/** One named value: its type, its limits, its description. */
export function Value({ contract, name, schema, required, description }: ValueProps) {
  const meant = resolve(contract, schema);
  const limits = limitsOf(meant);
  const fields = fieldsOf(contract, schema);
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-3">
        <code className="wrap-anywhere text-bone">{name}</code>
        <span className="text-sm text-bone-muted">{typeOf(schema)}</span>
        {!required && <span className="caption text-bronze">optional</span>}
      </p>
      {(description ?? meant.description) && <p className="max-w-[42rem] text-sm text-bone-muted">{description ?? meant.description}</p>}
      {limits.length > 0 && <p className="wrap-anywhere text-sm text-bone-muted">{limits.join(", ")}</p>}
      {fields && (
        <Disclosure label={`Fields of ${name}`}>
          <Fields contract={contract} schema={fields} />
        </Disclosure>
      )}
    </>
  );
}

interface DisclosureProps {
  label: React.ReactNode;
  children: React.ReactNode;
}

/** Expands and collapses its content. Collapsed content is not rendered: schemas may contain themselves. */
export function Disclosure({ label, children }: DisclosureProps) {
  const [opened, setOpened] = useState(false);
  return (
    <details onToggle={(event) => event.currentTarget.open && setOpened(true)} className="group mt-1.5">
      <summary className="cursor-pointer text-sm text-bone-muted underline decoration-bronze-dim underline-offset-4 hover:text-bone">
        {label}
      </summary>
      {opened && <div className="pt-3">{children}</div>}
    </details>
  );
}
