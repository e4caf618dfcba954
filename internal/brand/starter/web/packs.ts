import scene from "./art/scene.svg";

/** The kinds of pack by the kind of their drop tables: we have none. */
export const packs: Record<string, { name: string; picture?: string }> = {};

/** The picture of a pack whose kind is not known. */
export const anyPack = scene;
