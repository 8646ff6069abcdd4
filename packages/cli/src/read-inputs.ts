import { extname } from "node:path";
import type { Json, JsonObject } from "@loopwright/core";
import { parse } from "yaml";
import { CommandError, usageError } from "./command-error.ts";
import { readTextFile } from "./read-file.ts";

/**
 * Reads every `-i` in order: `name=text`, `name=@file`, `@file` with many; one that stands by itself wins over a file
 * before it, and no name is given twice. Core types them.
 */
export function readInputs(list: readonly string[]): JsonObject {
  const names = list.filter((text) => !text.startsWith("@")).map(nameIn);
  const twice = names.find((name, index) => name !== "" && names.indexOf(name) !== index);
  if (twice !== undefined) throw usageError(`-i ${twice}= is given twice; give it once`);
  return Object.fromEntries(list.flatMap(readOne));
}

function nameIn(text: string): string {
  return text.slice(0, Math.max(0, text.indexOf("=")));
}

function readOne(text: string): readonly (readonly [string, Json])[] {
  if (text.startsWith("@")) return Object.entries(readMany(text.slice(1)));
  const at = text.indexOf("=");
  if (at < 1) {
    throw usageError(`-i ${text} is not written NAME=VALUE, NAME=@FILE or @FILE`);
  }
  const name = text.slice(0, at);
  const value = text.slice(at + 1);
  if (value.startsWith("@@")) return [[name, value.slice(1)]];
  if (!value.startsWith("@")) return [[name, value]];
  // An editor's last newline is no part of the text.
  return [[name, readTextFile(value.slice(1), `-i ${name}=@`).replace(/\r?\n$/u, "")]];
}

function readMany(path: string): JsonObject {
  const text = readTextFile(path, "-i @");
  const isYaml = [".yaml", ".yml"].includes(extname(path).toLowerCase());
  let value: Json;
  try {
    value = isYaml ? (parse(text) as Json) : (JSON.parse(text) as Json);
  } catch (fault) {
    const why = fault instanceof Error ? fault.message.split("\n")[0] : "";
    throw new CommandError(`-i @${path} is no ${isYaml ? "YAML" : "JSON"}: ${why}`);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return value as JsonObject;
  }
  throw new CommandError(`-i @${path} must hold one object with an entry for each input`);
}
