import { beforeEach, describe, expect, it, vi } from "vitest";
import { HttpResponse, http, problem, server } from "../../test/server";
import { api, unwrap } from "./api/client";
import { json } from "./api/json";
import { alwaysServed } from "./country";
import { createRpc } from "./rpc";

const replace = vi.fn();
const at = (pathname: string) => vi.stubGlobal("location", { origin: location.origin, href: location.href, pathname, replace });
const barred = () => problem(451, "The law does not let us.");

beforeEach(() => replace.mockClear());

describe("an answer that the law does not let us serve here", () => {
  // Spec: ACCESS-4
  it.each([
    ["the typed client", "*/api/marketplace/collections", () => unwrap(api.GET("/api/marketplace/collections"))],
    ["a light call", "*/api/marketplace/collections", () => json("/api/marketplace/collections")],
    ["a chain's endpoint", "*/api/proxy/rpc/1", () => createRpc({ url: "/api/proxy/rpc/1" }).request({ method: "eth_chainId" })],
  ])("leads from any page to the one that says why: %s", async (_, address, call) => {
    server.use(http.all(address, barred));
    at("/kod-marketplace");
    await expect(call()).rejects.toThrow();
    expect(replace).toHaveBeenCalledExactlyOnceWith("/unauthorized-country");
  });

  it.each(alwaysServed.flatMap((page) => [page, `${page}/`]))("does not lead away from %s", async (page) => {
    server.use(http.get("*/api/config", barred));
    at(page);
    await expect(json("/api/config")).rejects.toThrow("The law does not let us.");
    expect(replace).not.toHaveBeenCalled();
  });

  it("is told from every other refusal", async () => {
    at("/");
    for (const status of [200, 400, 401, 403, 404, 450, 452, 503]) {
      server.use(http.get("*/api/config", () => HttpResponse.json({}, { status })));
      await json("/api/config").catch(() => {});
    }
    expect(replace).not.toHaveBeenCalled();
  });
});

// Spec: ACCESS-5
it("knows the legal pages, the deletion of accounts, and the page that says why", () => {
  expect([...alwaysServed].sort()).toEqual([
    "/cookie-policy",
    "/king-of-destiny/support/deleteaccount",
    "/king-of-destiny/terms-and-conditions",
    "/privacy-policy",
    "/terms-of-use",
    "/unauthorized-country",
  ]);
});
