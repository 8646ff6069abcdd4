import { expect, it } from "vitest";
import { secret, Type } from "../../contracts/schema.ts";
import { Diagnostics } from "../text/diagnostic.ts";
import { parseYaml } from "../text/parse-yaml.ts";
import { sourceFromText } from "../text/read-source.ts";
import { entry, type MapNode, type SpecNode } from "../text/spec-node.ts";
import { readOptions } from "./read-options.ts";
import { sweepSecrets } from "./secret-sweep.ts";
import { asJsonSchema } from "./spec-schemas.ts";

function parse(text: string): MapNode {
  const diagnostics = new Diagnostics();
  const node = parseYaml(sourceFromText(text, "spec.yaml"), diagnostics);
  if (node?.kind !== "map") throw new Error(diagnostics.items[0]?.message);
  return node;
}

function read(node: SpecNode | undefined, diagnostics: Diagnostics): void {
  if (node?.kind !== "map") throw new Error("no map");
  const schema = asJsonSchema(Type.Object({ key: secret(), text: Type.String() }));
  const owner = {
    name: "it",
    unknownCode: "LW-SPEC-UNKNOWN-KEY",
    missingCode: "LW-SPEC-MISSING-KEY",
  } as const;
  const shape = { kind: "object", fields: {} } as const;
  readOptions(node, schema, owner, {
    diagnostics,
    shape,
    root: "/",
    memories: [],
    readChecks: () => [],
  });
}

const found = (diagnostics: Diagnostics): readonly string[] =>
  diagnostics.sorted().map(({ line, column, code }) => `${line}:${column} ${code}`);

it("reports a secret that no reader saw, and none twice", () => {
  const root = parse(`name: "a-\${secret:A}"
tools: ["\${secret:B}", plain, "$\${secret:C}"]
options: { key: "\${secret:KEY}", text: "\${secret:TEXT}" }
`);
  const diagnostics = new Diagnostics();
  read(entry(root, "options"), diagnostics);
  sweepSecrets(root, diagnostics);
  expect(found(diagnostics)).toEqual([
    "1:7 LW-SUBST-SECRET-PLACE",
    "2:9 LW-SUBST-SECRET-PLACE",
    "3:40 LW-SUBST-SECRET-PLACE",
  ]);
});

it("leaves alone what stands inside something that could not be read", () => {
  const root = parse(`tools:
  acme/search: { apiKey: "\${secret:KEY}" }
  other: { use: acme/none, apiKey: "\${secret:KEY}" }
`);
  const diagnostics = new Diagnostics();
  const tools = entry(root, "tools");
  const first = tools?.kind === "map" ? tools.entries.get("acme/search")?.key : undefined;
  const other = tools?.kind === "map" ? entry(tools, "other") : undefined;
  const use = other?.kind === "map" ? entry(other, "use") : undefined;
  if (first === undefined || use === undefined) throw new Error("not there");
  diagnostics.error("LW-PLUGIN-UNKNOWN", first, "unknown");
  diagnostics.error("LW-PLUGIN-UNKNOWN", use, "unknown");
  sweepSecrets(root, diagnostics);
  expect(found(diagnostics)).toEqual(["2:3 LW-PLUGIN-UNKNOWN", "3:17 LW-PLUGIN-UNKNOWN"]);
});
