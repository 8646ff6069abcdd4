import type { CompileOptions, JsonObject } from "@loopwright/core";
import { parse } from "yaml";
import type { Arguments } from "./arguments.ts";
import { usageError } from "./command-error.ts";
import { requireFile } from "./read-file.ts";

const SCRIPT_PROVIDERS: ReadonlySet<string> = new Set(["scripted", "replay"]);

/** Reads `--set`, `--model`, `--replies` and `--overlay`: what is set over a spec. */
export function readSettings(given: Arguments): CompileOptions {
  const overrides = given.list("set").map(readSet);
  const models = withReplies(given.list("model").map(readModel), given.text("replies"));
  return { overrides, models, overlays: given.list("overlay") };
}

function readSet(text: string): { readonly path: string; readonly value: string } {
  const [path, value] = split(text);
  if (path !== "" && value !== undefined) return { path, value };
  throw usageError(`--set ${text} says no value; write like --set stages.react.maxSteps=4`);
}

type Model = NonNullable<CompileOptions["models"]>[number];

function readModel(text: string): Model {
  const [match, value] = split(text);
  const { model, options } = value?.trim().startsWith("{") ? readModelMap(value) : { model: value };
  if (match !== "" && model !== undefined && /^[^/]+\/./u.test(model)) {
    return { match, model, ...(options && { options }) };
  }
  const example = "--model judge=kimi/kimi-k3, or '*' for every role";
  throw usageError(
    `--model ${text} is not written ROLE=PROVIDER/NAME, or ROLE={ use: PROVIDER/NAME, … } with what a model takes; write like ${example}`,
  );
}

/** A model as a spec writes it: `{ use: provider/name, price: { input: 1, output: 2 } }`. */
function readModelMap(text: string): { readonly model?: string; readonly options?: JsonObject } {
  const { use, ...options } = parseMap(text);
  return typeof use === "string" ? { model: use, options } : {};
}

function parseMap(text: string): JsonObject {
  try {
    return parse(text) as JsonObject;
  } catch {
    return {};
  }
}

function withReplies(
  models: readonly Model[],
  replies: string | undefined,
): CompileOptions["models"] & object {
  if (replies === undefined) return models;
  const file = requireFile(replies, "--replies ");
  const takesFile = ({ model }: Model): boolean =>
    SCRIPT_PROVIDERS.has(model.slice(0, model.indexOf("/")));
  if (!models.some(takesFile)) {
    throw usageError("--replies goes with a scripted model, like --model '*=scripted/desk'");
  }
  return models.map((model) =>
    takesFile(model) ? { ...model, options: { ...model.options, file } } : model,
  );
}

/** Splits at the first `=`. */
function split(text: string): readonly [string, string | undefined] {
  const at = text.indexOf("=");
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
