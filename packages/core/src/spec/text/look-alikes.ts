import { nameOfLookAlike, plainFormOf } from "./look-alike-table.ts";
import type { YamlFinding } from "./yaml-finding.ts";
import { intendedEnd, type YamlToken } from "./yaml-tokens.ts";

/** Where a plain scalar stands. */
export interface PlainPlace {
  /** What the scalar is inside of: a `{ }`, a `[ ]`, or neither. */
  readonly innermost: "map" | "list" | undefined;
  /** Whether an entry of a `{ }` begins with it. */
  readonly beginsEntry: boolean;
  /** Whether nothing but indentation and dashes stands before it on its line. */
  readonly beginsLine: boolean;
  /** Whether it is a key, which `lookAlikeInKey` judges. */
  readonly isKey: boolean;
}

/** Finds characters in a plain scalar that stand for YAML's own, like a full-width colon after a key; those inside of a text are harmless. */
export function lookAlikeInPlain(
  text: string,
  token: YamlToken,
  place: PlainPlace,
): YamlFinding | undefined {
  return (
    colonOfKey(text, token, place) ??
    dashOfItem(token, place) ??
    commaBetweenWords(token, place) ??
    openingBracket(token) ??
    (place.isKey ? undefined : (quotesAround(token) ?? lookAlikeInWord(token)))
  );
}

/** Finds a character in a key that looks like another, more usual one; names in another script alone are left as they are. */
export function lookAlikeInKey(key: string): LookAlike | undefined {
  if (isAscii(key)) return undefined;
  return mark(key) ?? mixedLetter(key);
}

/** A character that looks like another, its offset, and the text as it was probably meant. */
export interface LookAlike {
  readonly character: string;
  readonly offset: number;
  readonly meant: string;
}

/** Says in words what a look-alike is. */
export function messageOfLookAlike({ character }: LookAlike): string {
  return `${nameOfLookAlike(character)} looks like \`${plainFormOf(character)}\`, and is another character`;
}

function finding(
  token: YamlToken,
  found: LookAlike,
  message: string,
  suggestion: string,
): YamlFinding {
  const start = token.offset + found.offset;
  const end = start + found.character.length;
  return { code: "LW-YAML-LOOK-ALIKE", start, end, message, suggestion };
}

function colonOfKey(text: string, token: YamlToken, place: PlainPlace): YamlFinding | undefined {
  const isKeyPlace = place.innermost === undefined ? place.beginsLine : place.beginsEntry;
  const match = isKeyPlace ? /^([a-z][\w./-]*)\s*([：﹕∶꞉])\s*/u.exec(token.text) : null;
  const [all = "", key = "", character = ""] = match ?? [];
  if (match === null) return undefined;
  const end = intendedEnd(text, token.offset + all.length, place.innermost !== undefined);
  const rest = text.slice(token.offset + all.length, end);
  return finding(
    token,
    { character, offset: all.indexOf(character), meant: "" },
    `${nameOfLookAlike(character)} stands where YAML wants \`:\` and a space after the key \`${key}\``,
    `write \`${`${key}: ${rest}`.trim()}\`, or quote the text`,
  );
}

function dashOfItem(token: YamlToken, place: PlainPlace): YamlFinding | undefined {
  const character = /^([–—−‐‑‒―－•·])[ \t]/u.exec(token.text)?.[1];
  if (character === undefined || !place.beginsLine) return undefined;
  return finding(
    token,
    { character, offset: 0, meant: "" },
    `${nameOfLookAlike(character)} stands where YAML wants the \`-\` of a list item`,
    "write `- `, or quote the text",
  );
}

// Words around it that could be names or numbers: in running text of another script it is punctuation.
function commaBetweenWords(token: YamlToken, place: PlainPlace): YamlFinding | undefined {
  if (place.innermost === undefined) return undefined;
  const match = /^[\w./*-]+\s*([，、；﹐､])\s*[\w./*-]+(?:\s*[，、；﹐､]\s*[\w./*-]+)*$/u.exec(
    token.text,
  );
  const character = match?.[1];
  if (character === undefined) return undefined;
  return finding(
    token,
    { character, offset: token.text.indexOf(character), meant: "" },
    `${nameOfLookAlike(character)} does not separate anything here; YAML wants \`,\``,
    `write \`${token.text.replaceAll(/\s*[，、；﹐､]\s*/gu, ", ")}\`, or quote the text`,
  );
}

function openingBracket(token: YamlToken): YamlFinding | undefined {
  const character = /^[［｛]/u.exec(token.text)?.[0];
  if (character === undefined) return undefined;
  return finding(
    token,
    { character, offset: 0, meant: "" },
    `${nameOfLookAlike(character)} begins no list or map; YAML wants \`${plainFormOf(character)}\``,
    `write \`${plainFormOf(character)}\`, or quote the text`,
  );
}

function quotesAround(token: YamlToken): YamlFinding | undefined {
  const match = /^([“”„‟‘’‚‛«＂＇])([^“”„‟‘’‚‛«»＂＇]*)[“”‟‘’‛»＂＇]$/u.exec(token.text.trimEnd());
  const [, character, inside = ""] = match ?? [];
  if (character === undefined) return undefined;
  return finding(
    token,
    { character, offset: 0, meant: "" },
    `${nameOfLookAlike(character)} is no quote for YAML and would be a part of the text`,
    `write \`"${inside}"\`; if the quotes belong to the text, put it in '…'`,
  );
}

// A word that is an id or number but for one character; what is text can be quoted.
function lookAlikeInWord(token: YamlToken): YamlFinding | undefined {
  const text = token.text.trimEnd();
  if (text.length > 200 || /\s/.test(text)) return undefined;
  const meant = Array.from(text, plainFormOf).join("");
  const isId = /^[a-z][A-Za-z0-9]*(?:[-/.][A-Za-z0-9]+)*$/.test(meant) && /[A-Za-z]/.test(text);
  if (!isId && !/^-?\d+(?:\.\d+)?[a-zA-Z]{0,2}$/.test(meant)) return undefined;
  const character = Array.from(text).find((one) => plainFormOf(one) !== one);
  if (character === undefined) return undefined;
  const found = { character, offset: text.indexOf(character), meant };
  return finding(token, found, messageOfLookAlike(found), `write \`${meant}\`, or quote the text`);
}

function mark(key: string): LookAlike | undefined {
  const character = /[–—−‐‑‒―“”„‟‘’‚‛：，Ａ-Ｚａ-ｚ０-９－＿．／]/u.exec(key)?.[0];
  if (character === undefined) return undefined;
  const meant = Array.from(key, plainFormOf).join("");
  return { character, offset: key.indexOf(character), meant };
}

// One word of two scripts, in which the foreign letters look like Latin ones.
function mixedLetter(key: string): LookAlike | undefined {
  for (const { 0: word, index } of key.matchAll(/\p{L}+/gu)) {
    if (!/[A-Za-z]/.test(word)) continue;
    const character = Array.from(word).find((one) => plainFormOf(one) !== one);
    if (character === undefined) continue;
    const meant = Array.from(key, plainFormOf).join("");
    return { character, offset: index + word.indexOf(character), meant };
  }
  return undefined;
}

/** Whether a text holds no character that could look like another. */
export function isAscii(text: string): boolean {
  // oxlint-disable-next-line no-control-regex
  return /^[\u0000-\u007f]*$/.test(text);
}
