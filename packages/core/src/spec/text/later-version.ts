/** Whether a version of the spec language is later than another: `loopwright/v2` than `loopwright/v1`. */
export function isLaterVersion(version: string, than: string): boolean {
  return numberOf(version) > numberOf(than);
}

function numberOf(version: string): number {
  return Number(/^loopwright\/v(\d{1,9})$/.exec(version)?.[1] ?? 0);
}
