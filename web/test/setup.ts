import "@testing-library/jest-dom/vitest";
import { cleanup, configure } from "@testing-library/react";
import toast from "react-hot-toast/headless";
import { afterAll, afterEach, beforeAll } from "vitest";
import { forgetConfig } from "~/features/config/load";
import { queryClient } from "~/lib/query";
import { server } from "./server";

// jsdom has no layout: what follows it never changes.
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};

// Waiting takes longer on a busy machine.
configure({ asyncUtilTimeout: 15_000 });

beforeAll(() => server.listen({ onUnhandledRequest: "error" }));

afterEach(() => {
  cleanup();
  toast.remove();
  server.resetHandlers();
  queryClient.clear();
  forgetConfig();
  localStorage.clear();
  sessionStorage.clear();
});

afterAll(() => server.close());
