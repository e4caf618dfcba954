import { readFileSync } from "node:fs";
import { join } from "node:path";
import { datadogRum } from "@datadog/browser-rum";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { json } from "~/lib/api/json";
import { report } from "~/lib/report";
import { visit } from "~/lib/visit";
import { clientConfig } from "../../../test/make";
import { HttpResponse, http, server } from "../../../test/server";
import { scrub, setContext, settings, start } from "./rum";

const config = clientConfig({ environment: "stage", monitoring: { active: true } });

/** Replaces what jsdom lacks. */
class Nothing {
  observe() {}
  unobserve() {}
  disconnect() {}
  addEventListener() {}
  removeEventListener() {}
  postMessage() {}
}

// The SDK starts only once per page, so one visit is made with it, and the tests check what was recorded.
describe("a visit with the monitoring", () => {
  interface Event {
    session: { id: string };
    view: { url: string };
    usr?: object;
    error?: { message: string };
    context?: Record<string, unknown>;
  }
  const requests: { url: URL; body: string; headers: Headers }[] = [];
  const reports = () => requests.filter(({ url }) => url.pathname === "/api/monitoring");
  const events = () => reports().flatMap(({ body }) => body.split("\n").map((line) => JSON.parse(line) as Event));
  const told = (what: string) => events().find(({ context }) => context?.what === what);
  const namedBy = (path: string) => requests.find(({ url }) => url.pathname === path)?.headers.get("x-session-id");
  const setCookie = vi.spyOn(document, "cookie", "set");
  let id: string;
  let afterwards: string;
  let kept: { local: Record<string, string>; session: string[] };

  beforeAll(async () => {
    vi.stubGlobal("ResizeObserver", Nothing);
    vi.stubGlobal("Worker", Nothing);
    vi.spyOn(console, "warn").mockImplementation(() => {});
    server.use(
      http.all("*", async ({ request }) => {
        requests.push({ url: new URL(request.url), body: await request.text(), headers: request.headers });
        return new HttpResponse(null, { status: 202 });
      }),
    );
    history.replaceState(null, "", "/new-password?token=hunter2#hunter2");
    await json("/api/early").catch(() => {});
    report("before it was there", new Error("early"));

    start(config);
    await vi.waitFor(() => expect(datadogRum.getInternalContext()?.session_id).toBeDefined());
    id = visit();
    kept = { local: { ...localStorage }, session: Object.keys(sessionStorage) };
    report("after", "late");
    await json("/api/late").catch(() => {});

    datadogRum.stopSession();
    await vi.waitFor(() => expect(told("after")).toBeDefined());
    afterwards = visit();
    history.replaceState(null, "", "/");
  });

  // Spec: MON-1
  it("reports to our own server alone, in the form of the SDK's proxy", () => {
    expect(requests.filter(({ url }) => url.origin !== "http://localhost:3000")).toEqual([]);
    for (const { url, headers } of reports()) {
      expect([...url.searchParams.keys()]).toEqual(["ddforward"]);
      const forward = new URL(url.searchParams.get("ddforward") ?? "", "https://intake.example");
      expect(forward.pathname).toBe("/api/v2/rum");
      expect([...forward.searchParams.keys()].sort()).toEqual(
        // As in the server's list.
        ["_dd.api", "batch_time", "dd-api-key", "dd-evp-origin", "dd-evp-origin-version", "dd-request-id", "ddsource"],
      );
      expect(headers.get("Authorization")).toBeNull();
    }
  });

  // Spec: MON-1
  it("tells of what went wrong, also before it was there, as one visit", () => {
    expect(told("before it was there")).toMatchObject({ error: { message: "early" }, session: { id } });
    expect(told("after")).toMatchObject({ error: { message: "after: late" }, session: { id } });
    expect(events().every(({ session }) => session.id === id)).toBe(true);
  });

  it("identifies nobody, and contains no token of an address", () => {
    expect(events().every(({ usr }) => usr === undefined)).toBe(true);
    expect(told("after")?.view.url).toBe("http://localhost:3000/new-password");
    expect(reports().map(({ url, body }) => url.href + body)).not.toContainEqual(expect.stringContaining("hunter2"));
  });

  // Spec: SESSION-12
  it("has one id, which every call names from the first one on", () => {
    expect(namedBy("/api/early")).toBe(id);
    expect(namedBy("/api/late")).toBe(id);
    expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/); // the form that the server accepts
  });

  it("keeps its name once it is over, until the next begins", () => expect(afterwards).toBe(id));

  it("sets no cookie, and keeps what the cookie policy lists", () => {
    expect(setCookie).not.toHaveBeenCalled();
    expect(Object.keys(kept.local)).toEqual(["_dd_s_v2"]);
    expect(kept.local._dd_s_v2).toMatch(/^id=[0-9a-f-]{36}&created=\d+&expire=\d+$/);
    expect(kept.session).toEqual(["_dd_tab_id"]);
  });

  // Spec: MON-4
  it("warns of a context of more than 3 KiB, and of no smaller one", () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    setContext("note", "x".repeat(2_900));
    expect(warn).not.toHaveBeenCalled();
    setContext("note", "x".repeat(3 * 1024));
    expect(warn).toHaveBeenCalledWith(expect.stringMatching(/^monitoring: the context has \d+ bytes, more than 3072$/));
  });
});

describe("its settings", () => {
  // Spec: MON-2
  it("are the product's: every visit, one in five recorded and masked, no cookie, nobody's id", () => {
    expect(settings(config)).toMatchObject({
      applicationId: "00000000-0000-4000-8000-000000000000",
      proxy: "/api/monitoring",
      env: "stage",
      sessionSampleRate: 100,
      sessionReplaySampleRate: 20,
      defaultPrivacyLevel: "mask",
      enablePrivacyForActionName: true,
      sessionPersistence: "local-storage",
      trackAnonymousUser: false,
    });
    expect(settings(clientConfig({ monitoring: { active: true, applicationId: "A" } })).applicationId).toBe("A");
  });

  // The rest are the SDK's defaults. These are its own constants: another version may have others.
  // Spec: MON-3
  it.each([
    ["browser-core/src/transport/flushController.ts", "FLUSH_DURATION_LIMIT = (30 * ONE_SECOND)"],
    ["browser-core/src/transport/flushController.ts", "MESSAGES_LIMIT = isWorkerEnvironment ? 1 : 50"],
    ["browser-core/src/transport/httpRequest.ts", "RECOMMENDED_REQUEST_BYTES_LIMIT = 16 * ONE_KIBI_BYTE"],
    ["browser-rum-core/src/boot/preStartRum.ts", "BUFFER_LIMIT = 500"],
    ["browser-core/src/domain/bufferedData.ts", "BUFFER_LIMIT = 500"],
    ["browser-core/src/tools/serialisation/sanitize.ts", "SANITIZE_DEFAULT_MAX_CHARACTER_COUNT = 220 * ONE_KIBI_BYTE"],
    ["browser-core/src/domain/session/sessionConstants.ts", "SESSION_EXPIRATION_DELAY = 15 * ONE_MINUTE"],
    ["browser-core/src/domain/session/sessionConstants.ts", "SESSION_TIME_OUT_DELAY = 4 * ONE_HOUR"],
  ])("leave to the SDK what %s says: %s", (file, constant) => {
    expect(readFileSync(join(import.meta.dirname, "../../../../node_modules/@datadog", file), "utf8")).toContain(constant);
  });
});

describe("scrub", () => {
  it("takes queries and fragments out of every address of an event", () => {
    const event = {
      type: "error",
      view: {
        url: "https://a.example/b?token=x#y",
        referrer: "https://a.example/?context=x",
        id: "1",
        performance: { lcp: { resource_url: "https://a.example/c?x" } },
      },
      error: {
        message: "GET https://a.example/d?token=x failed, was it https://a.example/e#f?",
        stack: "Error\n  at f (https://a.example/g.js?v=1:2:3)\n  at h (https://a.example/i.js:4:5)",
        resource: { url: "/api/auth/pubSubAccessToken?wallet=0x1" },
      },
      long_task: { scripts: [{ source_url: "https://a.example/?context=x", invoker: "BUTTON#close.onclick", duration: 7 }] },
      context: { what: "why? because", nothing: null },
    };
    expect(scrub(event as never, {} as never)).toBe(true);
    expect(event).toEqual({
      type: "error",
      view: {
        url: "https://a.example/b",
        referrer: "https://a.example/",
        id: "1",
        performance: { lcp: { resource_url: "https://a.example/c" } },
      },
      error: {
        message: "GET https://a.example/d failed, was it https://a.example/e",
        stack: "Error\n  at f (https://a.example/g.js)\n  at h (https://a.example/i.js:4:5)",
        resource: { url: "/api/auth/pubSubAccessToken" },
      },
      long_task: { scripts: [{ source_url: "https://a.example/", invoker: "BUTTON#close.onclick", duration: 7 }] },
      context: { what: "why? because", nothing: null },
    });
  });
});
