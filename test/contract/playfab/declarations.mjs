// Checks requests and responses against the type declarations of the vendor's SDK. The exchanges come on standard
// input, one JSON object per line: {call: "Server/GetTime", request, answer}. Undeclared fields are printed, and the
// exit code is 1.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

/** Parses the declarations of one API: the request and result of each method, and the fields of each type. */
function read(api) {
  const text = readFileSync(new URL(`node_modules/playfab-sdk/Scripts/typings/PlayFab/PlayFab${api}.d.ts`, import.meta.url), "utf8");
  const methods = new Map();
  for (const [, name, request, result] of text.matchAll(
    /^ {8}(\w+)\(\s*request: PlayFab\w+Models\.(\w+) \| null,\s*callback: PlayFabModule\.ApiCallback<PlayFab\w+Models\.(\w+)>/gm,
  )) {
    methods.set(name, { request, result });
  }
  const types = new Map();
  for (const [, name, body] of text.matchAll(/export interface (\w+)(?: extends [\w.]+)? \{(\}|[\s\S]*?\n {4}\})/g)) {
    const fields = new Map();
    for (const [, field, optional, type] of body.matchAll(/^ {8}(\w+)(\??): (.+);$/gm))
      fields.set(field, { type, optional: optional !== "" });
    types.set(name, fields);
  }
  return { methods, types };
}

const apis = { Client: read("Client"), Server: read("Server"), Admin: read("Admin") };
const faults = new Set();

/** Checks a value against a declared type. Flags that a request omits have a default. */
function check(api, where, type, value, isRequest) {
  const wrong = (what) => faults.add(`${where}: ${what}`);
  const map = type.match(/^\{ \[key: string\]: (.+?)(?: \| null)? \}$/);
  if (map) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return wrong("is no map");
    for (const v of Object.values(value)) check(api, `${where}{}`, map[1], v, isRequest);
  } else if (type.endsWith("[]")) {
    if (!Array.isArray(value)) return wrong("is no list");
    for (const v of value) check(api, `${where}[]`, type.slice(0, -2), v, isRequest);
  } else if (["string", "number", "boolean"].includes(type)) {
    if (typeof value !== type) wrong(`is no ${type}`);
  } else if (apis[api].types.has(type)) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return wrong(`is no ${type}`);
    const fields = apis[api].types.get(type);
    for (const [name, v] of Object.entries(value)) {
      if (fields.has(name)) check(api, `${where}.${name}`, fields.get(name).type, v, isRequest);
      else wrong(`${type} has no ${name}`);
    }
    for (const [name, field] of fields) {
      if (!field.optional && !(name in value) && !(isRequest && field.type === "boolean")) wrong(`${type} lacks ${name}`);
    }
  } else if (type !== "any") {
    wrong(`is of the unknown type ${type}`);
  }
}

const envelope = new Map(
  Object.entries({
    code: "number",
    status: "string",
    error: "string",
    errorCode: "number",
    errorMessage: "string",
    errorDetails: "{ [key: string]: string[] }",
    retryAfterSeconds: "number",
  }),
);

for await (const line of createInterface({ input: process.stdin })) {
  const { call, request, answer } = JSON.parse(line);
  const [api, name] = call.split("/");
  const method = apis[api]?.methods.get(name);
  if (!method) {
    faults.add(`${call}: there is no such method`);
    continue;
  }
  const succeeded = "data" in answer;
  if (succeeded) {
    check(api, `${call} request`, apis[api].types.has(method.request) ? method.request : "any", request, true);
    check(api, `${call} result`, apis[api].types.has(method.result) ? method.result : "any", answer.data, false);
  }
  for (const [field, value] of Object.entries(answer)) {
    if (field === "data") continue;
    if (envelope.has(field)) check(api, `${call} answer.${field}`, envelope.get(field), value, false);
    else faults.add(`${call} answer: there is no ${field}`);
  }
  for (const field of succeeded ? ["code", "status"] : ["code", "status", "error", "errorCode", "errorMessage"]) {
    if (!(field in answer)) faults.add(`${call} answer: lacks ${field}`);
  }
}

for (const fault of [...faults].sort()) console.log(fault);
process.exitCode = faults.size > 0 ? 1 : 0;
