import { waitFor } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { queryClient } from "~/lib/query";
import { tabKeys } from "~/lib/tab-keys";
import { keepForTab } from "~/lib/tab-storage";
import { listing } from "../../../test/make";
import { HttpResponse, http, server } from "../../../test/server";
import { readFilters } from "./filters";
import { keepPlace, returnToPlace } from "./place";
import { listingsQuery } from "./queries";

const filters = readFilters(new URLSearchParams("collection=avatars"));
const { queryKey } = listingsQuery(filters);
const loaded = () => queryClient.getQueryData(queryKey)?.pages.length;

/** The cursors of the requests for listings. */
let asked: string[] = [];

beforeEach(() => {
  asked = [];
  server.use(
    http.get("*/api/marketplace/listings", ({ request }) => {
      const cursor = new URL(request.url).searchParams.get("cursor") ?? "";
      asked.push(cursor);
      const next = Number(cursor) + 1;
      return HttpResponse.json({
        items: [listing({ _id: `L${next}`, listingId: String(next) })],
        nextCursor: next < 60 ? String(next) : undefined,
      });
    }),
  );
});

// Spec: UI-13
it("loads a list after a reload as far as its reader had, and returns the cards that were in view", async () => {
  keepPlace({ entry: "a", pages: 3, cards: ["42", "43"] });
  expect(returnToPlace("a", filters)).toEqual(["42", "43"]);
  await waitFor(() => expect(loaded()).toBe(3));
  expect(asked).toEqual(["", "1", "2"]);
});

it("loads up to fifty pages", async () => {
  keepPlace({ entry: "a", pages: 50, cards: ["42"] });
  expect(returnToPlace("a", filters)).toEqual(["42"]);
  await waitFor(() => expect(loaded()).toBe(50), { timeout: 20_000 });
});

it.each<[string, () => void]>([
  ["nothing is kept", () => {}],
  ["another history entry's place is kept", () => keepPlace({ entry: "b", pages: 3, cards: ["42"] })],
  ["the first row was in view", () => keepPlace({ entry: "a", pages: 3, cards: [] })],
  ["the place is beyond fifty pages", () => keepPlace({ entry: "a", pages: 51, cards: ["42"] })],
  ["something else is kept", () => keepForTab(tabKeys.place, '{"entry":"a","pages":"3"}')],
  ["what is kept is not JSON", () => keepForTab(tabKeys.place, "{")],
])("loads nothing where %s", async (_, keep) => {
  keep();
  expect(returnToPlace("a", filters)).toEqual([]);
  expect(queryClient.getQueryState(queryKey)).toBeUndefined();
});

it("leaves a list alone that is loaded", () => {
  queryClient.setQueryData(queryKey, { pages: [{ items: [] }], pageParams: [""] });
  keepPlace({ entry: "a", pages: 3, cards: ["42"] });
  expect(returnToPlace("a", filters)).toEqual([]);
});
