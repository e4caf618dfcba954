import type { Config } from "@react-router/dev/config";
import { finishBuild } from "./scripts/finish-build.ts";

export default {
  ssr: false,
  // Every address without a parameter is rendered to HTML when the site is built.
  prerender: true,
  future: {
    v8_middleware: true,
    v8_splitRouteModules: true,
    v8_viteEnvironmentApi: true,
    v8_passThroughRequests: true,
    v8_trailingSlashAwareDataRequests: true,
  },
  buildEnd: ({ reactRouterConfig, viteConfig }) => finishBuild(reactRouterConfig.routes, viteConfig.root),
} satisfies Config;
