import { statSync } from "node:fs";
import { relative } from "node:path";
import { labelOf } from "../spec/document/node-text.ts";
import { readText } from "../spec/document/read-scalar.ts";
import { refuseSecret } from "../spec/document/read-secret.ts";
import { resolvePath } from "../spec/document/resolve-path.ts";
import type { SpecNode } from "../spec/text/spec-node.ts";
import type { CompileContext } from "./compile-context.ts";

/** Reads `workspace`: a folder below the project root, which must exist; absolute. */
export function compileWorkspace(
  node: SpecNode | undefined,
  context: CompileContext,
): string | undefined {
  const path = node === undefined ? undefined : readLocalPath(node, context);
  if (node === undefined || path === undefined) return undefined;
  if (kindOf(path) === "folder") return path;
  const way = relative(context.root, path);
  const message =
    kindOf(path) === undefined
      ? `\`workspace\` names the folder \`${way}\`, which does not exist`
      : `\`workspace\` is a folder; \`${way}\` is a file`;
  const repair =
    kindOf(path) === undefined ? `make it: mkdir -p ${way}` : "name the folder that holds it";
  context.diagnostics.error("LW-FILE-NOT-FOLDER", node, message, repair);
  return undefined;
}

/** Reads `cases`: the file that judges the agent on whole tasks, which must exist; absolute. */
export function compileCases(
  node: SpecNode | undefined,
  context: CompileContext,
): string | undefined {
  const path = node === undefined ? undefined : readLocalPath(node, context);
  if (node === undefined || path === undefined) return undefined;
  context.record.use("file", path, node);
  if (kindOf(path) === "file") return path;
  const way = relative(context.root, path);
  const what = kindOf(path) === "folder" ? "is a folder" : "does not exist";
  const message = `\`cases\` names a file; \`${way}\` ${what}`;
  context.diagnostics.error(
    "LW-FILE-MISSING",
    node,
    message,
    what === "is a folder"
      ? "name the file of cases in it"
      : "make the file of cases, or delete `cases`",
  );
  return undefined;
}

/** Reads the path of something in the project; absolute. */
export function readLocalPath(
  node: SpecNode,
  { diagnostics, root }: Pick<CompileContext, "diagnostics" | "root">,
): string | undefined {
  const text = refuseSecret(node, diagnostics) ? undefined : readText(node, diagnostics);
  if (text === undefined) return undefined;
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(text)) {
    const message = `\`${labelOf(node)}\` is a path in the project, not an address`;
    diagnostics.error("LW-FILE-MISSING", node, message, "name a local path");
    return undefined;
  }
  return resolvePath(node, text, root, diagnostics);
}

function kindOf(path: string): "file" | "folder" | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? undefined : found.isDirectory() ? "folder" : "file";
}
