import { isMissing, type ProjectHealth, type SpecHealth } from "../project-health.ts";
import { tableText } from "../table-text.ts";

/** The health of a project as a person reads it. */
export function healthText({ node, specs, plugins, isWell }: ProjectHealth): string {
  const nodeRow = [mark(node.isWell), "node", `${node.version}, needs ${node.needed} or later`];
  const packageRows = plugins.map(({ package: name, version, ids, fault }) => [
    mark(fault === undefined),
    version === undefined ? name : `${name} ${version}`,
    fault ?? ids.join(", "),
  ]);
  const parts = [
    tableText([nodeRow]),
    `\nplugins\n${tableText(packageRows)}`,
    ...specs.map(specText),
  ];
  return `${parts.join("")}\n${isWell ? "all is there" : "something is missing: see the lines with `!!`"}\n`;
}

function specText({ spec, isSound, variables, models }: SpecHealth): string {
  const check = isSound ? "its check finds no errors" : `it has errors: loopwright check ${spec}`;
  const rows = [
    [mark(isSound), "check", check],
    ...variables.map((variable) => [
      mark(!isMissing(variable)),
      variable.name,
      `${stateOf(variable)}: ${variable.uses.join(", ")}`,
    ]),
    ...models.map(({ id, endpoint }) => [mark(true), id, endpoint ?? "tells no endpoint"]),
  ];
  return `\n${spec}\n${tableText(rows)}`;
}

function stateOf(variable: SpecHealth["variables"][number]): string {
  if (variable.isSet) return "set";
  return variable.isNeeded ? "not set" : "not set, and need not be";
}

function mark(isWell: boolean): string {
  return isWell ? "ok" : "!!";
}
