const UNSEEN: ReadonlySet<string> = new Set([
  "script",
  "style",
  "noscript",
  "template",
  "svg",
  "iframe",
  "object",
]);
const BLOCKS: ReadonlySet<string> = new Set(
  "address article aside blockquote br dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table td th title tr ul".split(
    " ",
  ),
);
const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  ndash: "–",
  mdash: "—",
  hellip: "…",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
  laquo: "«",
  raquo: "»",
  copy: "©",
  reg: "®",
  euro: "€",
  pound: "£",
  deg: "°",
  times: "×",
  middot: "·",
  bull: "•",
};

interface Tag {
  readonly name: string;
  readonly isEnd: boolean;
  readonly source: string;
  /** Where the text goes on. */
  readonly next: number;
}

/** Makes readable text of HTML in one pass: no scripts and styles, a line a block, links with their address. */
export function htmlText(html: string): string {
  const parts: string[] = [];
  const links: string[] = [];
  for (let at = 0; at < html.length; ) {
    const start = html.indexOf("<", at);
    parts.push(decodeEntities(html.slice(at, start === -1 ? html.length : start)));
    if (start === -1) break;
    const tag = tagAt(html, start);
    if (tag === undefined) {
      parts.push("<");
      at = start + 1;
      continue;
    }
    at = !tag.isEnd && UNSEEN.has(tag.name) ? endOf(html, tag) : tag.next;
    parts.push(tag.name === "a" ? linkText(tag, links) : spacing(tag));
  }
  return parts
    .join("")
    .replaceAll(/[^\S\n]+/g, " ")
    .replaceAll(/ ?\n ?/g, "\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

// Unknown entities stay.
function decodeEntities(text: string): string {
  // A line end of the source is a space; the lines of the text are made by its blocks.
  return text
    .replaceAll(/[\r\n\t]+/g, " ")
    .replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi, (whole, decimal, hex, name) => {
      if (typeof name === "string") return ENTITIES[name.toLowerCase()] ?? whole;
      const code = typeof decimal === "string" ? Number(decimal) : Number.parseInt(String(hex), 16);
      return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
    });
}

function tagAt(html: string, start: number): Tag | undefined {
  if (html.startsWith("<!--", start)) {
    const end = html.indexOf("-->", start + 4);
    return { name: "!", isEnd: true, source: "", next: end === -1 ? html.length : end + 3 };
  }
  const name = /^<\/?([a-z][a-z\d]*)|^<[!?]/i.exec(html.slice(start, start + 40));
  if (name === null) return undefined;
  const close = html.indexOf(">", start);
  const next = close === -1 ? html.length : close + 1;
  return {
    name: (name[1] ?? "!").toLowerCase(),
    isEnd: html[start + 1] === "/",
    source: html.slice(start, Math.min(next, start + 2_000)),
    next,
  };
}

/** Behind the end tag of an element that nobody sees. */
function endOf(html: string, { name, next }: Tag): number {
  const end = new RegExp(`</${name}\\b`, "gi");
  end.lastIndex = next;
  const found = end.exec(html);
  if (found === null) return html.length;
  const close = html.indexOf(">", found.index);
  return close === -1 ? html.length : close + 1;
}

function linkText({ isEnd, source }: Tag, links: string[]): string {
  if (isEnd) {
    const address = links.pop() ?? "";
    return address === "" ? "" : ` (${address})`;
  }
  const found = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i.exec(source);
  const address = decodeEntities(found?.[1] ?? found?.[2] ?? found?.[3] ?? "").trim();
  links.push(/^(?:https?:\/\/|\/|\.{1,2}\/|[\w-]+[./])/i.test(address) ? address : "");
  return "";
}

function spacing({ name, isEnd }: Tag): string {
  if (!BLOCKS.has(name)) return "";
  if (name === "li" && !isEnd) return "\n- ";
  if (name === "td" || name === "th") return isEnd ? " | " : "";
  if (/^h[1-6]$/.test(name) && !isEnd) return `\n\n${"#".repeat(Number(name[1]))} `;
  return "\n";
}
