/** A URL as messages may hold it: without user, password and query. */
export function shownUrl(url: string): string {
  if (!URL.canParse(url)) return "an address that is no URL";
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname === "/" ? "" : pathname}`;
}

/** The host of a URL, with its port. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : shownUrl(url);
}

/** Whether a URL holds a user or a password, which no request can carry. */
export function hasUser(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { username, password } = new URL(url);
  return username !== "" || password !== "";
}
