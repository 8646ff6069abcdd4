/** A URL as messages may hold it: without user, password and query. */
export function plainAddress(url: string): string {
  if (!URL.canParse(url)) return "an address that is no URL";
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname === "/" ? "" : pathname}`;
}

/** The host of a URL, with its port. */
export function hostOfAddress(url: string): string {
  return URL.canParse(url) ? new URL(url).host : plainAddress(url);
}

/** Whether a URL holds a user or a password, which no request can carry. */
export function holdsPassword(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { username, password } = new URL(url);
  return username !== "" || password !== "";
}

/** Whether an address is this machine's. */
export function isThisMachine(url: string): boolean {
  return URL.canParse(url) && ["localhost", "127.0.0.1", "[::1]"].includes(new URL(url).hostname);
}
