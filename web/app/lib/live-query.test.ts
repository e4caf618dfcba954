import { QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { delayed } from "../../test/delayed";
import { queryClient } from "./query";

const key = ["things"];
/** The server's data, and the resolvers of its requests. */
let things: string[];
const answer = vi.fn(() => things);
let calls: ReturnType<typeof delayed<undefined, string[]>>;
let hide = () => {};

beforeEach(() => {
  things = ["a"];
  answer.mockClear();
  calls = delayed(answer);
});
afterEach(() => hide());

function show() {
  const observer = new QueryObserver<string[]>(queryClient, { queryKey: key, queryFn: () => calls.resolver(undefined), retry: false });
  hide = observer.subscribe(() => {});
}
const shown = () => queryClient.getQueryData<string[]>(key);
const showing = (...expected: string[]) => vi.waitFor(() => expect(shown()).toEqual(expected));
const adding = (thing: string) => (now: string[]) => (now.includes(thing) ? now : [...now, thing]);
const filters = { queryKey: key };

describe("a change that becomes known during a fetch", () => {
  it("is applied to its answer, and not twice", async () => {
    show();
    await calls.arrived();
    queryClient.patchQueries(filters, adding("b"));
    expect(shown()).toBeUndefined();
    calls.letGo();
    await showing("a", "b");
    things = ["c"];
    await queryClient.invalidateQueries(filters);
    expect(shown()).toEqual(["c"]);
  });

  it("is still there when the fetch is cancelled", async () => {
    show();
    await calls.arrived();
    calls.letGo(1, false);
    await showing("a");
    void queryClient.invalidateQueries(filters);
    await calls.arrived(2);
    queryClient.patchQueries(filters, adding("b"));
    await queryClient.cancelQueries(filters);
    expect(shown()).toEqual(["a", "b"]);
  });

  it("that only the server can tell has it asked again once, after that answer", async () => {
    show();
    await calls.arrived();
    let times = 0;
    queryClient.patchQueries<string[]>(filters, (now, { ask, queryKey }) => {
      expect(queryKey).toBe(key);
      times++;
      ask();
      return now;
    });
    things = ["b"];
    calls.letGo(1, false);
    await calls.arrived(2);
    expect(shown()).toEqual(["a"]);
    calls.letGo(2);
    await showing("b");
    expect(times).toBe(1);
  });

  it("leaves the data as old, and as failed, as it was", async () => {
    show();
    await calls.arrived();
    calls.letGo();
    await showing("a");
    await queryClient.invalidateQueries({ ...filters, refetchType: "none" });
    const before = queryClient.getQueryState(key);
    queryClient.patchQueries(filters, adding("b"));
    expect(queryClient.getQueryState(key)).toEqual({ ...before, data: ["a", "b"] });
  });
});

describe("an invalidation during a fetch", () => {
  it("has it followed by one more, however often it happens, and waits for that", async () => {
    show();
    await calls.arrived();
    const all = Promise.all([queryClient.invalidateQueries(filters), queryClient.invalidateQueries(filters)]);
    things = ["b"];
    calls.letGo(1, false);
    await calls.arrived(2);
    await queryClient.cancelQueries({ queryKey: ["others"] });
    calls.letGo(2);
    await all;
    expect(shown()).toEqual(["b"]);
    expect(queryClient.isFetching(filters)).toBe(0);
    expect(answer).toHaveBeenCalledTimes(2);
  });

  it("counts although the fetch fails, and although nothing shows the data by then", async () => {
    show();
    await calls.arrived();
    const answered = queryClient.invalidateQueries(filters);
    hide();
    calls.letGo();
    await answered;
    expect(queryClient.getQueryState(key)?.isInvalidated).toBe(true);
  });
});

describe("what is set during a fetch", () => {
  it("outlasts its answer until that is asked for again", async () => {
    show();
    await calls.arrived();
    queryClient.setQueryData(key, ["set"]);
    calls.letGo(1, false);
    await calls.arrived(2);
    expect(shown()).toEqual(["set"]);
    things = ["b"];
    calls.letGo(2);
    await showing("a"); // as it was when the second request arrived
  });
});

describe("a change that is not confirmed yet", () => {
  it("stays in place whatever arrives, and goes with the answer to a request sent after its end", async () => {
    show();
    await calls.arrived();
    calls.letGo(1, false);
    await showing("a");
    const end = queryClient.keepPatched<string[]>(filters, (now) => (now.includes("a") ? now.filter((thing) => thing !== "a") : now));
    expect(shown()).toEqual([]);
    queryClient.patchQueries<string[]>(filters, () => ["a", "b"]);
    expect(shown()).toEqual(["b"]);
    void queryClient.refetchQueries(filters);
    await calls.arrived(2);
    end();
    const answered = queryClient.invalidateQueries(filters);
    calls.letGo(2, false);
    await calls.arrived(3);
    expect(shown()).toEqual([]);
    calls.letGo(3);
    await answered;
    expect(shown()).toEqual(["a"]);
  });
});
