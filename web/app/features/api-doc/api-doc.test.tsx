import { fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter } from "react-router";
import { beforeEach, describe, expect, it, vi } from "vitest";
import ApiDoc from "~/routes/marketing/api-doc";
import { HttpResponse, http, problem, server } from "../../../test/server";
import { type Contract, fieldsOf, groupsOf, limitsOf, resolve, search, typeOf } from "./contract";

const contract: Contract = {
  paths: {
    "/api/orders/{id}": {
      get: {
        operationId: "getOrder",
        summary: "Where an order stands",
        tags: ["Checkout"],
        security: [{ token: [] }],
        parameters: [{ name: "id", in: "path", required: true, description: "The order's id.", schema: { type: "string", maxLength: 64 } }],
        responses: {
          "200": { description: "OK", content: { "application/json": { schema: { $ref: "#/components/schemas/Order" } } } },
          "204": { description: "No Content" },
          "404": {
            description: "Not Found",
            content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
          },
        },
      },
    },
    "/api/orders": {
      post: {
        operationId: "startOrder",
        summary: "Make an order",
        tags: ["Checkout"],
        security: [{ token: [] }],
        requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/StartOrder" } } } },
        responses: { "201": { description: "Created" } },
      },
      get: {
        operationId: "listOrders",
        summary: "All orders",
        tags: ["Checkout"],
        parameters: [{ name: "cursor", in: "query", schema: { type: "string" } }],
      },
    },
    "/healthz": {
      get: { operationId: "healthz", summary: "Whether the process lives", tags: ["System"], responses: { "200": { description: "OK" } } },
    },
  },
  components: {
    securitySchemes: { token: { description: "The token of login." } },
    schemas: {
      Order: {
        type: "object",
        required: ["orderId"],
        properties: {
          orderId: { type: "string", description: "Its id." },
          items: { type: "array", items: { $ref: "#/components/schemas/Item" } },
          replaces: { $ref: "#/components/schemas/Order", description: "The order before it." },
        },
      },
      Item: { type: "object", properties: { quantity: { type: "integer", minimum: 1 } } },
      StartOrder: { type: "object", required: ["total"], properties: { total: { type: "string", pattern: "^[0-9]+$" } } },
      Problem: { type: "object", properties: { message: { type: "string" } } },
    },
  },
};

describe("a contract", () => {
  it("is grouped by subject, the calls of one by address", () => {
    expect(
      groupsOf(contract).map(({ tag, calls }) => [tag, calls.map(({ method, path, credential }) => [method, path, credential])]),
    ).toEqual([
      [
        "Checkout",
        [
          ["GET", "/api/orders", ""],
          ["POST", "/api/orders", "The token of login."],
          ["GET", "/api/orders/{id}", "The token of login."],
        ],
      ],
      ["System", [["GET", "/healthz", ""]]],
    ]);
  });

  it.each([
    ["", ["listOrders", "startOrder", "getOrder", "healthz"]],
    ["order", ["listOrders", "startOrder", "getOrder"]],
    ["  POST  orders ", ["startOrder"]],
    ["cursor", ["listOrders"]],
    ["system", ["healthz"]],
    ["order lives", []],
    [".*", []],
  ])("is searched for calls with every word of %j", (query, found) => {
    expect(search(groupsOf(contract), query).flatMap(({ calls }) => calls.map(({ operationId }) => operationId))).toEqual(found);
  });

  it.each([
    [{ type: "string" }, "text"],
    [{ type: ["string", "null"] }, "text or null"],
    [{ type: "string", format: "date-time" }, "time (RFC 3339)"],
    [{ type: "integer", format: "int64" }, "whole number"],
    [{ type: "boolean" }, "true or false"],
    [{ $ref: "#/components/schemas/Order" }, "Order"],
    [{ type: "array", items: { $ref: "#/components/schemas/Item" } }, "list of Item"],
    [{ type: ["array", "null"], items: { type: "string" } }, "list of text or null"],
    [{ type: "object", additionalProperties: { type: "integer" } }, "map of whole number by name"],
    [{ type: "object" }, "object"],
    [{ type: "string", enum: ["price", "gone"] }, '"price" or "gone"'],
    [{ oneOf: [{ type: "string" }, { $ref: "#/components/schemas/Item" }] }, "text or Item"],
    [{}, "anything"],
  ])("says of %j what it looks like: %s", (schema, words) => expect(typeOf(schema)).toBe(words));

  it("says what limits a value", () => {
    expect(limitsOf({ minimum: 0, maximum: 100, default: 20 })).toEqual(["at least 0", "at most 100", "20 when left out"]);
    expect(limitsOf({ minLength: 3, maxLength: 20, pattern: "^a" })).toEqual(["at least 3 characters", "at most 20 characters", "like ^a"]);
    expect(limitsOf({ type: "string" })).toEqual([]);
  });

  it("finds the fields of objects, of lists and of maps of them", () => {
    const item = { $ref: "#/components/schemas/Item" };
    for (const schema of [item, { type: "array", items: item }, { type: "object", additionalProperties: { type: "array", items: item } }]) {
      expect(Object.keys(fieldsOf(contract, schema)?.properties ?? {})).toEqual(["quantity"]);
    }
    for (const schema of [undefined, {}, { type: "string" }, { $ref: "#/components/schemas/Nothing" }])
      expect(fieldsOf(contract, schema)).toBeUndefined();
    expect(resolve(contract, { $ref: "#/components/schemas/Order", description: "Mine." }).description).toBe("Mine.");
  });
});

describe("the API page", () => {
  const open = async (hash = "") => {
    history.replaceState(null, "", `/api-doc${hash}`);
    render(<ApiDoc />, { wrapper: MemoryRouter });
    await screen.findByRole("heading", { level: 2, name: "Checkout" });
  };

  beforeEach(() => {
    Element.prototype.scrollIntoView = vi.fn();
    server.use(http.get("*/api/openapi.json", () => HttpResponse.json(contract)));
  });

  // Spec: PAGE-20
  it("lists every call by subject, with its address and who may make it", async () => {
    await open();
    expect(screen.getAllByRole("heading", { level: 2 }).map((h) => h.textContent)).toEqual(["Checkout", "System"]);
    const order = screen.getByRole("region", { name: "Where an order stands" });
    expect(order).toHaveTextContent("GET /api/orders/{id}");
    expect(order).toHaveTextContent("The token of login.");
    expect(within(order).getByText("The order's id.")).toBeVisible();
    expect(within(order).getByText("at most 64 characters")).toBeVisible();
    expect(screen.getByRole("region", { name: "Whether the process lives" })).toHaveTextContent("Anybody.");
    expect(screen.getByRole("status")).toHaveTextContent("4 calls. Press / to search.");
  });

  it("has a table of contents whose links lead to the calls", async () => {
    await open();
    const contents = within(screen.getByRole("navigation", { name: "Calls" }));
    expect(contents.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual([
      "#listOrders",
      "#startOrder",
      "#getOrder",
      "#healthz",
    ]);
    for (const link of contents.getAllByRole("link"))
      expect(document.getElementById(link.getAttribute("href")?.slice(1) ?? "")).not.toBeNull();
  });

  it("opens what a call answers one level at a time, also where a schema contains itself", async () => {
    await open();
    const order = within(screen.getByRole("region", { name: "Where an order stands" }));
    expect(order.queryByText("orderId")).toBeNull();
    const toggle = (label: string | RegExp) => {
      const details = order.getAllByText(label).at(-1)?.closest("details");
      if (details) details.open = true;
      fireEvent(details as Element, new Event("toggle"));
    };
    toggle("200 OK");
    expect(order.getByText("orderId")).toBeInTheDocument();
    toggle("Fields of replaces");
    expect(order.getAllByText("orderId")).toHaveLength(2);
    toggle("Fields of items");
    expect(order.getByText("at least 1")).toBeInTheDocument();
    expect(order.getByText("204 No Content")).toBeVisible();
  });

  // Spec: PAGE-20
  it("is searched from the keyboard: / goes to the field, Escape empties it", async () => {
    const user = userEvent.setup();
    await open();
    await user.keyboard("/");
    const field = screen.getByRole("searchbox", { name: "Search the calls" });
    expect(field).toHaveFocus();
    await user.keyboard("post /api");
    expect(field).toHaveValue("post /api");
    await waitFor(() => expect(screen.getByRole("status")).toHaveTextContent("1 of 4 calls"));
    expect(screen.getAllByRole("heading", { level: 3 }).map((h) => h.textContent)).toEqual(["Make an order"]);
    await user.keyboard("zzz");
    expect(await screen.findByText("No call has all of these words.")).toBeVisible();
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.getByRole("status")).toHaveTextContent("4 calls"));
  });

  it("goes to the call that the address names", async () => {
    await open("#getOrder");
    await waitFor(() => expect(document.getElementById("getOrder")).toHaveFocus());
    expect(Element.prototype.scrollIntoView).toHaveBeenCalledOnce();
  });

  it("ignores a fragment that is not the address of a call", async () => {
    await open("#%");
    expect(Element.prototype.scrollIntoView).not.toHaveBeenCalled();
  });

  it("says when the contract did not load, reports it, and tries again", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    server.use(http.get("*/api/openapi.json", () => problem(503, "Away."), { once: true }));
    render(<ApiDoc />, { wrapper: MemoryRouter });
    expect(await screen.findByRole("alert")).toHaveTextContent("Away.");
    expect(warn).toHaveBeenCalledExactlyOnceWith("api-doc: did not load", "Away.");
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("heading", { level: 2, name: "Checkout" })).toBeVisible();
  });
});
