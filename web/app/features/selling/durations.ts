/** How long a listing can be open, in seconds. */
export const durations = [
  { value: "1", label: "1 day", seconds: 86_400 },
  { value: "7", label: "7 days", seconds: 7 * 86_400 },
  { value: "30", label: "30 days", seconds: 30 * 86_400 },
  { value: "180", label: "6 months", seconds: 180 * 86_400 },
] as const;
