const names: Record<string, string> = { general: "General pack", avatar: "Avatar pack", god: "God pack" };

/** The name of a kind of pack. */
export const packName = (kind: string): string => names[kind] ?? kind;
