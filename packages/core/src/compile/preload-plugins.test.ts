import { describe, expect, it } from "vitest";
import { stubPlugins } from "../../test/stub-plugins.ts";
import { compileSpec } from "./compile-spec.ts";
import type { PluginSource } from "./plugin-source.ts";

const spec = `apiVersion: loopwright/v1
name: whole
model: { use: openai/m, fallback: [scripted/m] }
tools: { search: { use: http-get, url: "http://localhost", input: { q: string } } }
memory: { lessons: { use: file, path: l.jsonl } }
strategies: { careful: [direct, { verify: { checks: [{ rule: { expr: answer.solvable, message: No. } }], model: none } }] }
strategy:
  - parallel: { branches: { left: { loop: { maxRounds: 2, do: careful } } } }
sinks: [console]
output: { fields: { a: string }, checks: [evidence] }
`;

describe("the plugins of a spec", () => {
  it("are asked for at once, each a single time, and none that the spec does not name", async () => {
    const rounds: string[][] = [];
    let isOpen = false;
    const plugins: PluginSource = {
      ...stubPlugins,
      find: async (kind, id) => {
        if (!isOpen) {
          isOpen = true;
          rounds.push([]);
        }
        rounds.at(-1)?.push(`${kind} ${id}`);
        const found = await stubPlugins.find(kind, id);
        isOpen = false;
        return found;
      },
    };
    await compileSpec({ text: spec, file: "spec.yaml" }, { plugins, env: {}, root: "/" });
    expect(rounds.map((round) => round.toSorted())).toEqual([
      [
        "check evidence",
        "check rule",
        "memory file",
        "provider openai",
        "provider scripted",
        "sink console",
        "strategy direct",
        "strategy loop",
        "strategy parallel",
        "strategy verify",
        "tool http-get",
      ],
    ]);
  });
});
