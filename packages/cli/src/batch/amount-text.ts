/** A sum of dollars, with cents or finer where it is small. */
export function moneyText(usd: number): string {
  if (usd === 0 || usd >= 1) return `$${usd.toFixed(2)}`;
  return `$${usd.toPrecision(2).includes("e") ? usd.toFixed(8) : usd.toPrecision(2)}`;
}

/** A duration as a clock shows it: 0:07, 12:30, 3:05:00. */
export function durationText(durationMs: number): string {
  const seconds = Math.round(durationMs / 1000);
  const two = (count: number): string => String(count).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const start = hours > 0 ? `${hours}:${two(minutes)}` : String(minutes);
  return `${start}:${two(seconds % 60)}`;
}

/** A share in percent. */
export function shareText(part: number, whole: number): string {
  return whole === 0 ? "0 %" : `${Math.round((100 * part) / whole)} %`;
}
