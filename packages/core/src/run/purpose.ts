/** How far a caller may go: the work, stages marked `always`, or the held-back conclusion. */
export type Purpose = "work" | "always" | "conclusion";

/** What a ledger makes of the purpose of a call. */
export interface PurposePlace {
  /** True for the pot of a tool, which lies above the tool's agent. */
  readonly isPot: boolean;
  /** For the ledger of an agent: what its calls count as above it. */
  readonly purposeAbove: Purpose | undefined;
}

/** What a call is for at each place of a chain, from the innermost; a pot of a tool sees what it is for inside the tool's agent. */
export function purposesAt(chain: readonly PurposePlace[], purpose: Purpose): readonly Purpose[] {
  let current = purpose;
  let inAgent = purpose;
  return chain.map(({ isPot, purposeAbove }) => {
    if (isPot) return inAgent;
    const own = current;
    if (purposeAbove === undefined) return own;
    inAgent = current;
    current = purposeAbove;
    return own;
  });
}
