import built from "#brand/registry.json";

/**
 * The brand's registry as it stands in each page, in the element with this id: that of the server, or of the build where there is no
 * server, as while pages are rendered ahead. Apart from registry.ts, since every page carries it and not every page reads it.
 */
export const registryId = "registry";

export const registryText: string =
  import.meta.env.SSR || import.meta.env.MODE === "test"
    ? JSON.stringify(built).replaceAll("<", "\\u003c")
    : (document.getElementById(registryId)?.textContent ?? "");
