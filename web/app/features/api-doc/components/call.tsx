import { memo } from "react";
import { type Call as ApiCall, type Content, type Contract, fieldsOf, typeOf } from "../contract";
import { Disclosure, Fields, Value } from "./schema";

/** The names of a parameter's locations. */
const places: Record<string, string> = { path: "In the address", query: "In the query", header: "In the headers" };

interface CallProps {
  contract: Contract;
  call: ApiCall;
}

function Part({ heading, children }: { heading: string; children: React.ReactNode }) {
  return (
    <div className="grid grid-cols-1 gap-3 md:grid-cols-[9rem_1fr]">
      <h4 className="caption pt-1 text-bronze">{heading}</h4>
      <div className="min-w-0">{children}</div>
    </div>
  );
}

/** A body: its media type, its form, its fields. */
function Body({ contract, content }: { contract: Contract; content: Content | undefined }) {
  return Object.entries(content ?? {}).map(([type, { schema }]) => {
    const fields = fieldsOf(contract, schema);
    return (
      <div key={type} className="grid gap-3">
        <p className="flex flex-wrap gap-x-3 text-sm text-bone-muted">
          <span>{schema ? typeOf(schema) : "anything"}</span>
          <code>{type}</code>
        </p>
        {fields && <Fields contract={contract} schema={fields} />}
      </div>
    );
  });
}

/** One call: its request, its parameters, its responses. */
export const Call = memo(function Call({ contract, call }: CallProps) {
  const { operationId, method, path, summary, description, credential, parameters = [], requestBody, responses = {} } = call;
  return (
    <section
      id={operationId}
      aria-labelledby={`${operationId}-name`}
      tabIndex={-1}
      className="grid scroll-mt-24 grid-cols-1 gap-6 border-t border-line py-10 outline-none"
    >
      <header>
        <h3 id={`${operationId}-name`} className="display text-2xl">
          <a href={`#${operationId}`} className="hover:text-ember-bright">
            {summary ?? operationId}
          </a>
        </h3>
        <p className="mt-3 wrap-anywhere">
          <code>
            <b className="font-bold text-bronze">{method}</b> {path}
          </code>
        </p>
        {description && <p className="mt-3 max-w-[42rem] text-bone-muted">{description}</p>}
      </header>
      <Part heading="Who">
        <p>{credential ? `Takes a credential: ${credential}` : "Anybody."}</p>
      </Part>
      {Object.entries(places).map(([place, heading]) => {
        const here = parameters.filter((parameter) => parameter.in === place);
        return (
          here.length > 0 && (
            <Part key={place} heading={heading}>
              <ul className="grid gap-3">
                {here.map(({ name, schema = {}, required = false, description: about }) => (
                  <li key={name}>
                    <Value contract={contract} name={name} schema={schema} required={required} description={about} />
                  </li>
                ))}
              </ul>
            </Part>
          )
        );
      })}
      {requestBody?.content && (
        <Part heading="Body">
          <Body contract={contract} content={requestBody.content} />
        </Part>
      )}
      <Part heading="Answers">
        <ul className="grid gap-2">
          {Object.entries(responses).map(([status, { description: about, content }]) => (
            <li key={status}>
              {content ? (
                <Disclosure label={`${status} ${about ?? ""}`}>
                  <Body contract={contract} content={content} />
                </Disclosure>
              ) : (
                <p className="text-sm text-bone-muted">{`${status} ${about ?? ""}`}</p>
              )}
            </li>
          ))}
        </ul>
      </Part>
    </section>
  );
});
