import type { Config } from "@react-router/dev/config";
import { checkBrand } from "./scripts/brand.ts";
import { finishBuild } from "./scripts/finish-build.ts";

// Before anything is made of the brand.
await checkBrand();

export default {
  ssr: false,
  // Every address without a parameter is rendered to HTML when the site is built, and the page for addresses that lead nowhere.
  prerender: ({ getStaticPaths }) => [...getStaticPaths(), "/404"],
  future: {
    v8_middleware: true,
    v8_splitRouteModules: true,
    v8_viteEnvironmentApi: true,
    v8_passThroughRequests: true,
    v8_trailingSlashAwareDataRequests: true,
  },
  buildEnd: ({ viteConfig }) => finishBuild(viteConfig.root),
} satisfies Config;
