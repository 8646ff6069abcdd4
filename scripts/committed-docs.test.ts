import { describe, expect, it } from "vitest";
import { renderDiagnosticDocs } from "./diagnostic-docs.ts";
import { renderExports } from "./exports-report.ts";
import { renderPluginDocs } from "./plugin-docs.ts";
import { renderPluginSchemas } from "./plugin-schemas.ts";
import { filesUnder, textOf } from "./source-files.ts";
import { renderStrategyPages, UNWRITTEN, WRITTEN_SECTIONS } from "./strategy-docs.ts";

describe("the committed documents", () => {
  it("docs/plugins.md is what the definitions say (npm run docs:plugins)", async () => {
    expect(textOf("docs/plugins.md")).toBe(await renderPluginDocs());
  });

  it("the schemas that manifests name are what the definitions say (npm run docs:plugins)", async () => {
    const schemas = await renderPluginSchemas();
    expect(schemas.map(({ file }) => file)).toContain("packages/anthropic/schemas/anthropic.json");
    for (const { file, text } of schemas) expect(textOf(file)).toBe(text);
  });

  it("docs/diagnostics.md is what the tables of core say (npm run docs:diagnostics)", () => {
    expect(textOf("docs/diagnostics.md")).toBe(renderDiagnosticDocs());
  });

  it("docs/exports.md is what the doors export (npm run docs:exports)", () => {
    expect(textOf("docs/exports.md")).toBe(renderExports());
  });
});

/** Sections that one word may fill. */
const SHORT_SECTIONS: ReadonlySet<string> = new Set(["Calls", "Paper"]);

describe("the pages of the strategies", () => {
  it("are one for each built-in strategy, and an index, fresh where they are generated (npm run docs:plugins)", async () => {
    const pages = await renderStrategyPages();
    expect(filesUnder("docs/strategies").toSorted()).toEqual(
      pages.map(({ file }) => file).toSorted(),
    );
    for (const { file, text } of pages) expect(textOf(file)).toBe(text);
  });

  it("have every section in words, and no skeleton of one", async () => {
    const pages = (await renderStrategyPages()).filter(({ id }) => id !== "index");
    for (const { file, text } of pages) {
      const titles = [...text.matchAll(/^## (.*)$/gm)].map(([, title]) => title);
      expect({ file, titles }).toEqual({ file, titles: [...WRITTEN_SECTIONS] });
      const written = text.replaceAll(
        /<!-- generated: [\s\S]*?<!-- end of the generated part -->/g,
        "",
      );
      const bodies = written.split(/^## .*$/m).slice(1);
      const thin = bodies.filter((body, index) => {
        const isShort = SHORT_SECTIONS.has(titles[index] ?? "");
        return body.trim().length < (isShort ? 5 : 20) || body.includes(UNWRITTEN);
      });
      expect({ file, thin }).toEqual({ file, thin: [] });
    }
  });

  it("show a spec each, which is a file that a reader can run", async () => {
    const pages = (await renderStrategyPages()).filter(({ id }) => id !== "index");
    for (const { id, text } of pages)
      expect(text).toContain(`loopwright run specs/strategies/${id}.yaml`);
  });

  it("are all named in the table of what mends what, but for those that only shape a run", () => {
    const table = textOf("docs/strategies/README.md");
    const named = new Set(
      [...table.matchAll(/^\|.*$/gm)].flatMap(([row]) =>
        [...row.matchAll(/\]\(([a-z-]+)\.md\)/g)].map(([, id]) => id),
      ),
    );
    const pages = filesUnder("docs/strategies").map((file) => file.replace(/.*\/|\.md$/g, ""));
    const unnamed = pages.filter((id) => id !== "README" && !named.has(id));
    expect(unnamed.toSorted()).toEqual(["agent", "chain-of-thought", "direct", "parallel"]);
  });
});
