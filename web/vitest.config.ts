import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { content } from "./scripts/content.ts";
import { keptPage } from "./scripts/kept-page.ts";
import { monitoringWorker } from "./scripts/monitoring-worker.ts";

/** Tests that replace `location`, which a context does not allow, or build with Vite, which does not work in one. */
const inThreads = [
  "app/features/packs/draw/kept/kept.test.ts",
  "app/features/session/session.test.ts",
  "app/features/session/x.test.tsx",
  "app/features/webstore/webstore.test.tsx",
  "app/lib/country.test.ts",
];

export default defineConfig({
  plugins: [content(), keptPage(), monitoringWorker()],
  resolve: { tsconfigPaths: true },
  test: {
    environmentOptions: { jsdom: { url: "http://localhost:3000/" } },
    setupFiles: ["test/setup.ts"],
    // All cores; by default one is left idle. A single worker would run all files in one context.
    maxWorkers: Math.max(2, availableParallelism()),
    testTimeout: 60_000, // several waits of test/setup.ts
    unstubGlobals: true,
    restoreMocks: true,
    projects: [
      {
        extends: true,
        test: {
          name: "contexts",
          pool: "vmThreads",
          environment: "./test/environment.ts",
          include: ["{app,brand,operate,test}/**/*.test.{ts,tsx}"],
          exclude: inThreads,
        },
      },
      { extends: true, test: { name: "threads", pool: "threads", environment: "jsdom", include: inThreads } },
    ],
  },
});
