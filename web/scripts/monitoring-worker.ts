import type { Plugin } from "vite";

const name = "virtual:monitoring-worker";
const sdkFile = "@datadog/browser-rum/esm/domain/deflate/deflateWorker.mjs";

/**
 * The monitoring SDK contains its compression worker as a text, and starts it from a `blob:` URL, which our content
 * security policy forbids. In the build the worker becomes a file of the site, and the text is removed;
 * `virtual:monitoring-worker` exports its URL. In development there is no policy, and the URL is undefined.
 */
export function monitoringWorker(): Plugin {
  return {
    name: "monitoring-worker",
    resolveId: (id) => (id === name ? `\0${name}` : null),
    async load(id) {
      if (id !== `\0${name}`) return null;
      if (this.environment.mode !== "build" || this.environment.name !== "client") return "export default undefined;";
      const file = await this.resolve(sdkFile);
      if (!file) throw new Error(`${sdkFile} is not there: has the SDK moved its worker?`);
      const worker = workerIn(await this.fs.readFile(file.id, { encoding: "utf8" })).source;
      const asset = this.emitFile({ type: "asset", name: "monitoring-worker.js", source: worker });
      return `export default import.meta.ROLLUP_FILE_URL_${asset};`;
    },
    transform(code, id) {
      if (!id.replaceAll("\\", "/").endsWith(sdkFile) || this.environment.mode !== "build") return null;
      return { code: code.replace(workerIn(code).expression, "undefined"), map: null };
    },
  };
}

/** The worker in the SDK's module, and the expression that creates its `blob:` URL. Throws if there is none. */
export function workerIn(code: string): { source: string; expression: string } {
  const found = /URL\.createObjectURL\(new Blob\(\[("(?:[^"\\]|\\.)*")\]\)\)/.exec(code);
  if (!found?.[1]) throw new Error(`${sdkFile} has no worker in it: has the SDK changed?`);
  return { source: JSON.parse(found[1]) as string, expression: found[0] };
}
