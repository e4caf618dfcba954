/** The parts of an OpenAPI 3.1 contract that the page shows. */
export interface Contract {
  paths: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, Schema>; securitySchemes?: Record<string, { description?: string }> };
}

interface Operation {
  operationId: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security?: Record<string, unknown>[];
  parameters?: Parameter[];
  requestBody?: { content?: Content };
  responses?: Record<string, { description?: string; content?: Content }>;
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
}

export type Content = Record<string, { schema?: Schema }>;

/** A JSON Schema (2020-12), as far as the contract uses it. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  format?: string;
  enum?: unknown[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  default?: unknown;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
}

/** One call in the page's list. */
export interface Call extends Operation {
  method: string;
  path: string;
  tag: string;
  /** The credential it needs, for people; "" for none. */
  credential: string;
}

export interface Group {
  tag: string;
  calls: Call[];
}

const methods = ["get", "post", "put", "patch", "delete"];

/** The calls by tag, both in alphabetical order; within a tag by path. */
export function groupsOf(contract: Contract): Group[] {
  const groups = new Map<string, Call[]>();
  for (const [path, item] of Object.entries(contract.paths)) {
    for (const method of methods) {
      const operation = item[method];
      if (!operation) continue;
      const tag = operation.tags?.[0] ?? "Other";
      const scheme = Object.keys(operation.security?.[0] ?? {})[0];
      const credential = scheme ? (contract.components?.securitySchemes?.[scheme]?.description ?? scheme) : "";
      groups.set(tag, [...(groups.get(tag) ?? []), { ...operation, method: method.toUpperCase(), path, tag, credential }]);
    }
  }
  return [...groups]
    .map(([tag, calls]) => ({ tag, calls: calls.sort((a, b) => a.path.localeCompare(b.path) || a.method.localeCompare(b.method)) }))
    .sort((a, b) => a.tag.localeCompare(b.tag));
}

/** The calls that contain every word of the query in method, path, name, tag or summary. */
export function search(groups: Group[], query: string): Group[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = ({ method, path, operationId, tag, summary, parameters }: Call) => {
    const text = [method, path, operationId, tag, summary, ...(parameters ?? []).map(({ name }) => name)].join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return groups.map(({ tag, calls }) => ({ tag, calls: calls.filter(fits) })).filter(({ calls }) => calls.length > 0);
}

/** The last part of a reference: the schema's name. */
export const nameOf = (ref: string): string => ref.split("/").at(-1) ?? ref;

/** Resolves a reference, merging the description given where it is used. An unknown reference is an empty schema. */
export function resolve(contract: Contract, schema: Schema): Schema {
  if (!schema.$ref) return schema;
  const { $ref, ...said } = schema;
  return { ...resolve(contract, contract.components?.schemas?.[nameOf($ref)] ?? {}), ...said };
}

/** Describes a type in a few words: "list of OrderItem", "text or null", "whole number". */
export function typeOf(schema: Schema): string {
  if (schema.$ref) return nameOf(schema.$ref);
  const several = schema.oneOf ?? schema.anyOf;
  if (several) return several.map(typeOf).join(" or ");
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" or ");
  const types = [schema.type ?? []].flat();
  return types.length ? types.map((type) => plainType(type, schema)).join(" or ") : "anything";
}

function plainType(type: string, { items, additionalProperties, format }: Schema): string {
  switch (type) {
    case "array":
      return `list of ${items ? typeOf(items) : "anything"}`;
    case "integer":
      return "whole number";
    case "boolean":
      return "true or false";
    case "object":
      return typeof additionalProperties === "object" ? `map of ${typeOf(additionalProperties)} by name` : "object";
    case "string":
      return { "date-time": "time (RFC 3339)", binary: "bytes", uri: "address" }[format ?? ""] ?? "text";
    default:
      return type;
  }
}

/** Describes a value's limits, each in a few words. */
export function limitsOf(schema: Schema): string[] {
  const limits: [unknown, string][] = [
    [schema.minimum, `at least ${schema.minimum}`],
    [schema.maximum, `at most ${schema.maximum}`],
    [schema.minLength, `at least ${schema.minLength} characters`],
    [schema.maxLength, `at most ${schema.maxLength} characters`],
    [schema.minItems, `at least ${schema.minItems}`],
    [schema.maxItems, `at most ${schema.maxItems}`],
    [schema.pattern, `like ${schema.pattern}`],
    [schema.default, `${JSON.stringify(schema.default)} when left out`],
  ];
  return limits.filter(([given]) => given !== undefined).map(([, text]) => text);
}

/** The schema that has a value's fields: its own, its items', or its values'. Undefined for a plain value. */
export function fieldsOf(contract: Contract, schema: Schema | undefined): Schema | undefined {
  if (!schema) return undefined;
  const meant = resolve(contract, schema);
  if (meant.properties) return meant;
  const { additionalProperties: values } = meant;
  return fieldsOf(contract, meant.items ?? (typeof values === "object" ? values : undefined));
}
