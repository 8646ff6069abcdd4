import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { defineMemory, Type } from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../conformance/temp-folder.ts";
import { runScripted } from "../promises/run-scripted.ts";

const folder = tempFolder();

const RECALL_TWICE =
  "strategy:\n  - recall: { from: notes }\n  - recall: { from: notes }\n  - direct\n";
const memoryOf = (use: string) => `memory: { notes: ${use} }\n${RECALL_TWICE}`;

async function faultsOf(body: string, options: Parameters<typeof runScripted>[2] = {}) {
  const { outcome, events } = await runScripted(body, ["hello"], { root: folder, ...options });
  expect(outcome.outcome).toBe("done");
  return events.filter((event) => event.name === "memory.failed").map(({ data }) => data);
}

describe("a memory", () => {
  it("with lines that can't be read tells them once a run, and keeps them", async () => {
    const path = join(folder, "torn.jsonl");
    writeFileSync(path, "{\n\n[]\n");
    expect(await faultsOf(memoryOf(`{ use: file, path: torn.jsonl }`))).toEqual([
      {
        memory: "notes",
        code: "memory-failed",
        message: `2 lines of ${path} can't be read and are kept: lines 1, 3`,
      },
    ]);
    expect(readFileSync(path, "utf8")).toBe("{\n\n[]\n");
  });

  it("whose path is a folder is an error before the run", async () => {
    await expect(faultsOf(memoryOf(`{ use: file, path: "." }`))).rejects.toThrow(
      /LW-FILE-UNWRITABLE/,
    );
  });

  it("that can't tell its faults costs nothing", async () => {
    const shy = defineMemory({
      id: "shy",
      description: "Recalls nothing and can't say why.",
      options: Type.Object({}),
      create: () => ({
        recall: async () => [],
        add: async (lesson) => ({ added: false, lesson: { ...lesson, id: "1", uses: 0 } }),
        list: async () => [],
        remove: async () => false,
        prune: async () => 0,
        faults: () => Promise.reject(new Error("too shy")),
      }),
    });
    expect(await faultsOf(memoryOf("{ use: shy }"), { plugins: [shy] })).toEqual([
      { memory: "notes", code: "memory-failed", message: "too shy" },
    ]);
  });
});
