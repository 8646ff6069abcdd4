import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../contracts/json.ts";
import type { Shape } from "./shape.ts";
import {
  checkTemplatePaths,
  parseTemplate,
  pathsOf,
  renderTemplate,
  TemplateError,
  type Template,
} from "./template.ts";

const view: JsonObject = {
  inputs: { city: "Köln", budget: 2000, tags: ["a", "b"], none: null, code: "{{ task.text }}" },
  task: { text: "secret" },
  results: {
    "plan-again": { ran: true },
    sections: [
      { task: "One", lines: ["x", "y"] },
      { task: "Two", lines: [] },
    ],
  },
};

function parsed(text: string): Template {
  const result = parseTemplate(text);
  if (!result.ok) throw new Error(result.message);
  return result.template;
}

function render(text: string): unknown {
  return renderTemplate(parsed(text), view);
}

describe("rendering", () => {
  it.each<[string, string, unknown]>([
    ["text alone", "plain } }} text", "plain } }} text"],
    ["a value in text", "Plan {{ inputs.city }} for {{inputs.budget}}!", "Plan Köln for 2000!"],
    ["a whole number", "{{ inputs.budget }}", 2000],
    ["a whole list", " {{ inputs.tags }}\n", ["a", "b"]],
    ["a whole null", "{{ inputs.none }}", null],
    ["lists in text as compact JSON", "x {{ inputs.tags }}", 'x ["a","b"]'],
    ["null in text as nothing", "x{{ inputs.none }}y", "xy"],
    ["ids with a dash", "ran: {{ results.plan-again.ran }}", "ran: true"],
    ["list items by index", "{{ inputs.tags.1 }}!", "b!"],
    ["values that look like templates", "got {{ inputs.code }}", "got {{ task.text }}"],
    ["literal braces", "{{{{ inputs.city }}", "{{ inputs.city }}"],
    ["a section", "{{# inputs.tags }}[{{ item }}]{{/ inputs.tags }}", "[a][b]"],
    ["a section over null", "x{{# inputs.none }}y{{/ inputs.none }}", "x"],
    [
      "section tags on lines of their own",
      "A:\n{{# inputs.tags }}\n- {{ item }}\n{{/ inputs.tags }}\nB",
      "A:\n- a\n- b\nB",
    ],
    [
      "sections inside sections",
      "{{# results.sections }}{{ item.task }}({{# item.lines }}{{ item }}{{/ item.lines }}) {{/ results.sections }}",
      "One(xy) Two() ",
    ],
    [
      "state paths inside a section",
      "{{# inputs.tags }}{{ item }}{{ inputs.budget }} {{/ inputs.tags }}",
      "a2000 b2000 ",
    ],
  ])("renders %s", (_name, text, result) => {
    expect(render(text)).toEqual(result);
  });

  it.each([
    ["a missing path", "x {{ inputs.nowhere }}", /no `nowhere`/],
    ["an inherited property", "x {{ inputs.constructor }}", /no `constructor`/],
    ["a section over text", "{{# inputs.city }}x{{/ inputs.city }}", /needs a list/],
  ])("throws for %s", (_name, text, message) => {
    expect(() => render(text)).toThrow(TemplateError);
    expect(() => render(text)).toThrow(message);
  });

  it("caps the rendered text", () => {
    const many = { list: Array<string>(3_000).fill("x") };
    const text = `{{# list }}{{# list }}${"y".repeat(100)}{{/ list }}{{/ list }}`;
    expect(() => renderTemplate(parsed(text), many)).toThrow(/longer than/);
  });

  it("never parses a value again and never throws anything else", () => {
    const piece = fc.constantFrom(
      "{{ inputs.v }}",
      "{{",
      "}}",
      "{{{{",
      "{{# inputs.list }}",
      "{{/ inputs.list }}",
      "{{ item }}",
      "x",
      "\n",
      " ",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), fc.string(), (pieces, value) => {
        const result = parseTemplate(pieces.join(""));
        if (!result.ok) return result.offset <= pieces.join("").length;
        try {
          renderTemplate(result.template, { inputs: { v: value, list: ["1"] } });
          return true;
        } catch (error) {
          return error instanceof TemplateError;
        }
      }),
    );
  });
});

describe("parsing", () => {
  it.each([
    ["an open tag", "ab {{ x", 3, /never closed/],
    ["an empty tag", "{{ }}", 0, /names nothing/],
    ["an expression", "a {{ x + 1 }}", 2, /is not a path/],
    ["an open section", "{{# list }}x", 4, /never closed/],
    ["a wrong end", "{{# a }}{{/ b }}", 8, /stands where `{{\/ a }}` is due/],
    ["a stray end", "x{{/ a }}", 1, /closes nothing/],
    ["sections nested too deep", "{{# a }}".repeat(9), 64, /nested deeper/],
  ])("refuses %s", (_name, text, offset, message) => {
    const result = parseTemplate(text);
    expect(result).toMatchObject({ ok: false, offset });
    expect(!result.ok && result.message).toMatch(message);
  });

  it("lists the state paths with their offsets, without those of item", () => {
    expect(parsed("{{ a.b }} {{# list }}{{ item.x }}{{ c }}{{/ list }}{{ item }}").paths).toEqual([
      { path: "a.b", offset: 3 },
      { path: "list", offset: 14 },
      { path: "c", offset: 36 },
      { path: "item", offset: 54 },
    ]);
  });

  it("stays linear", () => {
    const started = performance.now();
    parseTemplate("{{ x ".repeat(100_000));
    parseTemplate("{{ a }}\n".repeat(50_000));
    parseTemplate(" ".repeat(200_000) + "{{# a }}{{/ a }}");
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});

describe("checking", () => {
  const shape: Shape = {
    kind: "object",
    fields: {
      inputs: { kind: "object", fields: { city: { kind: "text" } } },
      list: { kind: "list", of: { kind: "object", fields: { name: { kind: "text" } } } },
    },
  };

  it("takes paths that exist", () => {
    expect(
      checkTemplatePaths(
        parsed(
          "{{ inputs.city }}{{# list }}{{ item.name }}{{ inputs.city }}{{/ list }}{{ list.0.name }}",
        ),
        shape,
      ),
    ).toEqual([]);
  });

  it("reports what does not exist, with the near name", () => {
    expect(
      checkTemplatePaths(
        parsed("{{ input.city }} {{# list }}{{ item.nam }}{{/ list }}{{# inputs }}{{/ inputs }}"),
        shape,
      ),
    ).toEqual([
      {
        code: "LW-TEMPLATE-PATH",
        path: "input.city",
        offset: 3,
        message: "nothing here is called `input`",
        suggestion: "did you mean `inputs`?",
      },
      {
        code: "LW-TEMPLATE-PATH",
        path: "item.nam",
        offset: 31,
        message: "`item` has no `nam`",
        suggestion: "did you mean `name`?",
      },
      {
        code: "LW-TEMPLATE-TYPE",
        path: "inputs",
        offset: 57,
        message: "`{{# inputs }}` needs a list; `inputs` is a map",
        suggestion: "write `{{ inputs }}` without repeating",
      },
    ]);
  });
});

it("tells every place where it reads the state", () => {
  const text = "a {{ inputs.city }} {{# inputs.tags }}{{ item }}{{/ inputs.tags }}";
  expect(pathsOf(parsed(text)).map(({ start, end }) => text.slice(start, end))).toEqual([
    "inputs.city",
    "inputs.tags",
  ]);
});

it("ends where sections inside sections repeat too often, though they write nothing", () => {
  const text = `${"{{# a }}".repeat(8)}${"{{/ a }}".repeat(8)}`;
  const long = { a: Array.from({ length: 100 }, () => 1) };
  expect(() => renderTemplate(parsed(text), long)).toThrow(/repeats more than/);
});
