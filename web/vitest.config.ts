import { defineConfig } from "vitest/config";
import { content } from "./scripts/content.ts";
import { keptPage } from "./scripts/kept-page.ts";
import { monitoringWorker } from "./scripts/monitoring-worker.ts";

export default defineConfig({
  plugins: [content(), keptPage(), monitoringWorker()],
  resolve: { tsconfigPaths: true },
  test: {
    pool: "threads", // starts faster than processes
    environment: "jsdom",
    environmentOptions: { jsdom: { url: "http://localhost:3000/" } },
    setupFiles: ["test/setup.ts"],
    include: ["app/**/*.test.{ts,tsx}", "test/**/*.test.{ts,tsx}"],
    testTimeout: 20_000, // several waits of test/setup.ts
    unstubGlobals: true,
    restoreMocks: true,
  },
});
