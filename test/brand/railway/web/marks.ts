/** There are no currencies of a game platform. */
export const marks: Record<string, string> = {};
