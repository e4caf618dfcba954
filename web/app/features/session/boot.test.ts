import { beforeEach, describe, expect, it, vi } from "vitest";
import { keys } from "~/lib/storage";
import { jwt } from "../../../test/make";

const start = vi.fn();
vi.mock("./session", () => ({ start: (context: string | null) => start(context) }));

/** Opens the page at an address, in a browser with an empty cache. */
async function open(address: string, state: unknown = null) {
  history.replaceState(state, "", address);
  vi.resetModules();
  const { boot } = await import("./boot");
  const { session } = await import("./store");
  return { boot, session };
}

const marketing = () => JSON.parse(localStorage.getItem(keys.marketing) ?? "null") as unknown;
const here = () => location.pathname + location.search + location.hash;

beforeEach(() => start.mockClear());

describe("a one-time context in the address", () => {
  // Spec: SESSION-9
  it("is out of it before anything else happens, and the rest of the address stays", async () => {
    const { boot } = await open("/king-of-destiny?utm_source=game&context=once&tab=2#top", { idx: 3 });
    expect(here()).toBe("/king-of-destiny?utm_source=game&tab=2#top");
    expect(history.state).toEqual({ idx: 3 });
    boot();
    await vi.waitFor(() => expect(start).toHaveBeenCalledWith("once"));
  });

  // Spec: SESSION-9
  it("signs in on any page", async () => {
    for (const page of ["/", "/kod-marketplace", "/portal/my-inventory", "/login"]) {
      (await open(`${page}?context=once`)).boot();
      await vi.waitFor(() => expect(start).toHaveBeenLastCalledWith("once"));
      expect(here()).toBe(page);
    }
  });

  it("that is empty is none", async () => {
    const { boot, session } = await open("/?context=");
    boot();
    expect(here()).toBe("/");
    expect(session.get().isLoading).toBe(false);
    expect(start).not.toHaveBeenCalled();
  });
});

describe("a visitor without a context", () => {
  it.each([
    ["who was signed in", keys.token],
    ["whose token is lost, but not the session's secret,", keys.sessionAuthorization],
  ])("%s is looked up", async (_, key) => {
    localStorage.setItem(key, jwt({ exp: Date.now() / 1000 + 60 }));
    (await open("/games")).boot();
    await vi.waitFor(() => expect(start).toHaveBeenCalledWith(null));
  });

  it("who was not is nobody, at once", async () => {
    const { boot, session } = await open("/games?tab=2");
    boot();
    expect(session.get()).toMatchObject({ isLoading: false, isAuthenticated: false });
    expect(here()).toBe("/games?tab=2");
    expect(start).not.toHaveBeenCalled();
  });
});

describe("marketing parameters", () => {
  // Spec: SESSION-11
  it("are utm_*, the click ids, and whatever ends in id, in capitals too; they stay in the address", async () => {
    const query =
      "utm_source=a&utm_x=b&gclid=c&fbclid=d&twclid=e&partnerid=f&id=g&listing=h&context=i&idea=j&campaignId=k&adID=l&UTM_Term=m";
    await open(`/?${query}`);
    expect(marketing()).toEqual({
      ...{ utm_source: "a", utm_x: "b", gclid: "c", fbclid: "d", twclid: "e", partnerid: "f", id: "g" },
      ...{ campaignId: "k", adID: "l", UTM_Term: "m" },
    });
    expect(here()).toBe(`/?${query.replace("&context=i", "")}`);
  });

  it("are kept until others come", async () => {
    await open("/?utm_source=first");
    await open("/games");
    expect(marketing()).toEqual({ utm_source: "first" });
    await open("/?gclid=second");
    expect(marketing()).toEqual({ gclid: "second" });
  });

  // Spec: SESSION-11
  it("are as many, as long and of such characters as the server takes, and no more", async () => {
    const many = Array.from({ length: 25 }, (_, i) => `utm_${i}=x`).join("&");
    await open(`/?${many}`);
    expect(Object.keys(marketing() as object)).toHaveLength(20);
    const long = `${"ä".repeat(256)}x`; // 513 bytes
    await open(
      `/?utm_long=${encodeURIComponent(long)}&utm_${"n".repeat(61)}=x&utm_cut=a%00b&utm_good=${encodeURIComponent("ä".repeat(256))}`,
    );
    expect(Object.keys(marketing() as object)).toEqual(["utm_good"]);
  });
});
