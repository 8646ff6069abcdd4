import { isDeepStrictEqual } from "node:util";
import { isMap, isScalar, parseDocument, type Document, type Scalar } from "yaml";
import { codedFault, type SpecTextFault } from "../format/coded-fault.ts";
import { loadPlain, textFault, type TextFault } from "../text/load-plain.ts";
import { isLaterVersion } from "../text/later-version.ts";
import { didYouMean } from "../text/suggest.ts";
import { MIGRATIONS, type Migration } from "./migration.ts";

/** The apiVersion that this version of Loopwright reads. */
const presentVersion = "loopwright/v1";
const versionCode = "LW-SPEC-API-VERSION";

/** A spec of the present version, or why it can't be brought there; lines and columns count from 1. */
export type MigratedSpec =
  | {
      readonly ok: true;
      readonly text: string;
      readonly from: string;
      readonly to: string;
      /** What each step changed; none where the spec is of the present version already. */
      readonly steps: readonly string[];
    }
  | SpecTextFault;

/** Brings a spec from its apiVersion to the present one, step by step; comments stay, and a spec of the present version stays as it is. */
export function migrateSpec(
  text: string,
  migrations: readonly Migration[] = MIGRATIONS,
  target: string = presentVersion,
): MigratedSpec {
  const mark = text.startsWith("\ufeff") ? "\ufeff" : "";
  const source = text.slice(mark.length);
  const read = loadPlain(source);
  if (!read.ok) return codedFault(source, read);
  const document = parse(source);
  const version = versionOf(document);
  if (version === undefined) return { ...noVersion(target), code: versionCode };
  const from = String(version.value);
  const chain = chainFrom(from, migrations, target);
  if (chain === undefined)
    return { ...unknownVersion(version, source, migrations, target), code: versionCode };
  if (chain.length === 0) return { ok: true, text, from, to: target, steps: [] };
  for (const step of chain) {
    step.apply(document);
    document.set("apiVersion", version);
    version.value = step.to;
  }
  const written = withLineEndings(document.toString({ lineWidth: 0 }), source);
  const broken = changedFault(document, written);
  if (broken !== undefined) return broken;
  const steps = chain.map(({ summary }) => summary);
  return { ok: true, text: mark + written, from, to: target, steps };
}

function parse(source: string): Document {
  return parseDocument(source, {
    version: "1.2",
    schema: "core",
    merge: false,
    logLevel: "silent",
  });
}

// What is written must read as what the steps made.
function changedFault(document: Document, written: string): TextFault | undefined {
  const read = loadPlain(written);
  if (!read.ok) return read;
  if (isDeepStrictEqual(read.value, document.toJS())) return undefined;
  return textFault(
    "the spec can't be written without changing its meaning; migrate it by hand",
    1,
    1,
  );
}

function versionOf(document: Document): Scalar | undefined {
  const root: unknown = document.contents;
  const node: unknown = isMap(root) ? root.get("apiVersion", true) : undefined;
  return isScalar(node) && typeof node.value === "string" ? node : undefined;
}

/** The steps from a version to the target, none where it is the target; undefined where no chain leads there. */
function chainFrom(
  from: string,
  migrations: readonly Migration[],
  target: string,
): readonly Migration[] | undefined {
  const chain: Migration[] = [];
  for (let version = from; version !== target; ) {
    const step = migrations.find((candidate) => candidate.from === version);
    if (step === undefined || chain.includes(step)) return undefined;
    chain.push(step);
    version = step.to;
  }
  return chain;
}

function noVersion(target: string): TextFault {
  return textFault(
    "the spec has no `apiVersion`, so nobody knows what it is to be migrated from",
    1,
    1,
    `write the version it was made for, like \`apiVersion: ${target}\`, in its first line`,
  );
}

function unknownVersion(
  version: Scalar,
  source: string,
  migrations: readonly Migration[],
  target: string,
): TextFault {
  const known = [...new Set([...migrations.map(({ from }) => from), target])];
  const before = source.slice(0, version.range?.[0] ?? 0);
  const name = String(version.value);
  return textFault(
    `\`${name}\` is not known here; this version reads ${known.map((one) => `\`${one}\``).join(", ")}`,
    before.split("\n").length,
    before.length - before.lastIndexOf("\n"),
    isLaterVersion(name, target)
      ? "it needs a newer loopwright"
      : (didYouMean(name, known) ?? `write a known one, like \`apiVersion: ${target}\``),
  );
}

function withLineEndings(text: string, source: string): string {
  const complete = source.endsWith("\n") ? text : text.replace(/\n$/, "");
  return source.includes("\r\n") ? complete.replaceAll(/\r?\n/g, "\r\n") : complete;
}
