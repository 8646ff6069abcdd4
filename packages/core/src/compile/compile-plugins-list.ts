import type { PluginPackage } from "../contracts/plugin-definition.ts";
import { labelOf, shownValue } from "../spec/document/node-text.ts";
import { readText } from "../spec/document/read-scalar.ts";
import { refuseSecret } from "../spec/document/read-secret.ts";
import { atOffset } from "../spec/document/offset-position.ts";
import type { ScalarNode, SpecNode } from "../spec/text/spec-node.ts";
import { parseRange } from "../spec/text/version-range.ts";
import type { CompileContext } from "./compile-context.ts";
import type { InstalledPackage } from "./plugin-source.ts";

/** A package that a spec asks for. */
interface Wanted {
  readonly name: string;
  readonly range: string;
  readonly at: ScalarNode;
}

/** Lets the plugins of the packages that `plugins` names be found in this pass; what is missing is reported. */
export function joinSpecPlugins(
  node: SpecNode | undefined,
  context: CompileContext,
): CompileContext {
  const packages = compilePluginsList(node, context);
  return packages.length === 0
    ? context
    : { ...context, packages, plugins: context.plugins.joined(packages) };
}

/** Reads `plugins: ["package@range"]`; each package must be installed below the project root. */
function compilePluginsList(
  node: SpecNode | undefined,
  context: CompileContext,
): readonly PluginPackage[] {
  const { diagnostics } = context;
  if (node === undefined) return [];
  if (node.kind !== "list") {
    const message = `\`plugins\` is a list of packages, not ${shownValue(node)}`;
    const repair = node.kind === "scalar" ? `write \`plugins: ["${node.text}"]\`` : undefined;
    diagnostics.error("LW-VALUE-LIST-EXPECTED", node, message, repair);
    return [];
  }
  const seen = new Map<string, Wanted>();
  return node.items.flatMap((item): PluginPackage[] => {
    const wanted = readWanted(item, context);
    if (wanted === undefined) return [];
    context.record.use("plugin", wanted.name, item);
    const first = seen.get(wanted.name);
    if (first !== undefined) {
      const message = `\`${wanted.name}\` is listed twice; the first stands in line ${first.at.line}`;
      diagnostics.error("LW-SPEC-ID-CLASH", item, message, "delete this one, or the first");
      return [];
    }
    seen.set(wanted.name, wanted);
    const found = context.plugins.installed(wanted.name, context.root);
    const plugins = fitting(found, wanted, context);
    return plugins === undefined ? [] : [plugins];
  });
}

const packageName = /^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/;
const maxNameLength = 214;

function readWanted(item: SpecNode, { diagnostics }: CompileContext): Wanted | undefined {
  const text = refuseSecret(item, diagnostics) ? undefined : readText(item, diagnostics);
  if (text === undefined || item.kind !== "scalar") return undefined;
  const cut = text.indexOf("@", 1);
  const name = cut === -1 ? text : text.slice(0, cut);
  const range = cut === -1 ? "" : text.slice(cut + 1);
  if (!packageName.test(name) || name.length > maxNameLength || name === "node_modules") {
    const message = `\`${labelOf(item)}\` is the npm name of a package and its versions, not ${shownValue(item)}; paths and addresses are not taken`;
    diagnostics.error("LW-VALUE-TYPE", item, message, 'write "@scope/package@^1.0.0"');
    return undefined;
  }
  if (parseRange(range) === undefined) {
    const message =
      range === ""
        ? `\`${name}\` is given no versions: another one may behave differently`
        : `\`${range}\` is no range of versions`;
    const place = range === "" ? item : atOffset(item, cut + 1, range.length);
    diagnostics.error("LW-PLUGIN-VERSION", place, message, `write "${name}@^1.0.0"`);
    return undefined;
  }
  return { name, range, at: item };
}

function fitting(
  found: InstalledPackage | undefined,
  { name, range, at }: Wanted,
  { diagnostics }: CompileContext,
): PluginPackage | undefined {
  const wanted = /[\s|<>*]/.test(range) ? `"${name}@${range}"` : `${name}@${range}`;
  const install = `\`npm i ${wanted}\` installs it`;
  if (found === undefined) {
    const message = `the package \`${name}\` is not installed in this project`;
    diagnostics.error("LW-PLUGIN-VERSION", at, message, install);
    return undefined;
  }
  if (found.fault !== undefined) {
    diagnostics.error("LW-PLUGIN-BROKEN", at, found.fault, "tell the author of the package");
    return undefined;
  }
  if (parseRange(range)?.allows(found.version) !== true) {
    const message = `the package \`${name}\` is installed as ${found.version || "no version"}, not as ${range}`;
    diagnostics.error("LW-PLUGIN-VERSION", at, message, install);
    return undefined;
  }
  if (found.plugins === undefined) {
    const message = `the package \`${name}\` brings no plugins: its keywords lack \`loopwright-plugin\``;
    diagnostics.error("LW-PLUGIN-KIND", at, message, `delete \`${name}\``);
    return undefined;
  }
  return found.plugins;
}
