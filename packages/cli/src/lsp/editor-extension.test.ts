import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { readArguments } from "../arguments.ts";
import { COMMANDS } from "../command-table.ts";

const folder = fileURLToPath(new URL("../../../../editors/vscode/", import.meta.url));
const manifest = JSON.parse(readFileSync(`${folder}package.json`, "utf8")) as {
  readonly main: string;
  readonly activationEvents: readonly string[];
  readonly dependencies: Readonly<Record<string, string>>;
  readonly contributes: {
    readonly configuration: {
      readonly properties: Readonly<Record<string, { readonly default: readonly string[] }>>;
    };
  };
};
const start = manifest.contributes.configuration.properties["loopwright.command"]?.default ?? [];

describe("the extension for VS Code", () => {
  it("wakes for YAML and names a file that is there", () => {
    expect(manifest.activationEvents).toEqual(["onLanguage:yaml"]);
    expect(existsSync(`${folder}${manifest.main}`)).toBe(true);
  });

  it("starts a command that there is, with options that it takes", () => {
    const [, program, name = "", ...rest] = start;
    expect(program).toBe("loopwright");
    const command = COMMANDS.get(name);
    expect(command?.name).toBe("lsp");
    expect(readArguments(name, rest, command?.options ?? {}).positionals).toEqual([]);
  });

  it("starts the configured command in the workspace, and stops it again", async () => {
    const made: unknown[] = [];
    const code = readFileSync(`${folder}${manifest.main}`, "utf8");
    const module = { exports: {} as { activate(): Promise<void>; deactivate(): unknown } };
    class LanguageClient {
      constructor(...given: readonly unknown[]) {
        made.push(...given);
      }
      start(): Promise<void> {
        return Promise.resolve();
      }
      stop(): string {
        return "stopped";
      }
    }
    const vscode = {
      window: {},
      workspace: {
        getConfiguration: () => ({ get: () => start }),
        workspaceFolders: [{ uri: { fsPath: "/project" } }],
      },
    };
    const requireOne = (name: string): unknown =>
      name === "vscode"
        ? vscode
        : name === "vscode-languageclient/node"
          ? { LanguageClient }
          : createRequire(import.meta.url)(name);
    runInNewContext(code, { require: requireOne, module, process });
    await module.exports.activate();
    expect(made[2]).toMatchObject({
      command: "npx",
      args: ["loopwright", "lsp", "--stdio"],
      options: { cwd: "/project" },
    });
    expect(module.exports.deactivate()).toBe("stopped");
    expect(Object.keys(manifest.dependencies)).toEqual(["vscode-languageclient"]);
  });
});
