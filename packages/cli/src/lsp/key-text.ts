/** The default of a key as a sentence; empty where it has none. */
export function defaultText(standard: unknown): string {
  if (standard === undefined) return "";
  const shown = typeof standard === "string" ? standard : JSON.stringify(standard);
  return ` Default: ${shown === "" ? "empty" : shown}.`;
}
