import { describe, expect, it } from "vitest";
import {
  checks,
  count,
  duration,
  expression,
  fields,
  memoryName,
  path,
  secret,
  specPath,
  template,
  Type,
  type TSchema,
} from "../../contracts/schema.ts";
import { Diagnostics } from "../text/diagnostic.ts";
import { parseYaml } from "../text/parse-yaml.ts";
import { sourceFromText } from "../text/read-source.ts";
import type { ObjectShape } from "../text/shape.ts";
import { substitute } from "../text/substitute.ts";
import type { OptionsReading } from "./options-context.ts";
import { readOptions } from "./read-options.ts";
import { asJsonSchema } from "./spec-schemas.ts";

const shape: ObjectShape = {
  kind: "object",
  fields: {
    done: { kind: "boolean" },
    text: { kind: "text" },
    steps: { kind: "list", of: { kind: "text" }, maxItems: 6 },
  },
};

interface Read extends OptionsReading {
  readonly faults: readonly string[];
  readonly messages: readonly string[];
}

function read(
  schema: Record<string, TSchema>,
  yaml: string,
  env: Readonly<Record<string, string>> = {},
): Read {
  const diagnostics = new Diagnostics();
  const parsed = parseYaml(sourceFromText(yaml, "sub/spec.yaml"), diagnostics);
  const node =
    parsed === undefined
      ? undefined
      : substitute(parsed, { env, root: "/tmp", secretAllowed: () => true, diagnostics });
  if (node?.kind !== "map")
    throw new Error(diagnostics.items.map((item) => item.message).join("\n"));
  const owner = {
    name: "it",
    unknownCode: "LW-STAGE-UNKNOWN-OPTION",
    missingCode: "LW-STAGE-MISSING-OPTION",
  } as const;
  const reading = readOptions(node, asJsonSchema(Type.Object(schema)), owner, {
    diagnostics,
    shape,
    root: "/tmp",
    lateShape: (option) => ({
      kind: "object",
      fields: { ...shape.fields, [option === "task" ? "step" : "other"]: { kind: "text" } },
    }),
    memories: ["lessons"],
    readChecks: (list) =>
      list.kind === "list"
        ? list.items.map((_item, instance) => ({ check: "stub", instance }))
        : [],
  });
  return {
    ...reading,
    faults: diagnostics.sorted().map(({ code, line, column }) => `${code} ${line}:${column}`),
    messages: diagnostics
      .sorted()
      .map(({ message, suggestion }) => `${message} / ${suggestion ?? ""}`),
  };
}

describe("values with a marker", () => {
  it("become what the code wants", () => {
    const { value, expressions, templates, faults } = read(
      {
        wait: duration(),
        most: count(),
        until: expression("bool"),
        say: template(),
        file: path(),
        key: secret(),
        from: memoryName(),
        shape: fields(),
        judge: checks(),
      },
      "{ wait: 1.5m, most: 200k, until: done, say: 'Hi {{ text }}', file: ../a.txt, key: '${secret:K}', from: lessons, shape: { city: string }, judge: [a, b] }",
    );
    expect(faults).toEqual([]);
    expect(value).toEqual({
      wait: 90_000,
      most: 200_000,
      until: "done",
      say: "Hi {{ text }}",
      file: "/tmp/a.txt",
      key: "${secret:K}",
      from: "lessons",
      shape: {
        type: "object",
        properties: { city: { type: "string" } },
        required: ["city"],
        additionalProperties: false,
      },
      judge: [
        { check: "stub", instance: 0 },
        { check: "stub", instance: 1 },
      ],
    });
    expect([...expressions.keys()]).toEqual(["done"]);
    expect([...templates.keys()]).toEqual(["/say"]);
  });

  it("are parsed also where they are defaults", () => {
    const { value, expressions, templates } = read(
      {
        until: expression("bool", { default: "done" }),
        list: Type.Array(Type.Object({ say: template({ default: "{{ text }}" }) })),
        wait: duration({ default: 5 }),
      },
      "list: [{}, {}]",
    );
    expect(value).toEqual({
      until: "done",
      list: [{ say: "{{ text }}" }, { say: "{{ text }}" }],
      wait: 5,
    });
    expect([...expressions.keys()]).toEqual(["done"]);
    expect([...templates.keys()]).toEqual(["/list/0/say", "/list/1/say"]);
  });

  it("keep the id of the run in a path", () => {
    expect(read({ file: path() }, 'file: "runs/${run:id}.jsonl"').value).toEqual({
      file: "/tmp/sub/runs/${run:id}.jsonl",
    });
  });
});

describe("what is repeated over", () => {
  it("is an expression whose result is a list", () => {
    const { expressions, faults } = read({ in: expression("list") }, "in: steps");
    expect(faults).toEqual([]);
    expect(expressions.get("steps")?.shape).toMatchObject({ kind: "list", maxItems: 6 });
    expect(read({ in: expression("list") }, "in: text").faults).toEqual(["LW-EXPR-TYPE 1:5"]);
  });

  it("binds names that late templates alone see", () => {
    const schema = { task: template({ late: true }), note: template({ default: "" }) };
    const late = read(schema, "task: 'Do {{ step }} of {{ text }}'");
    expect(late.faults).toEqual([]);
    expect([...late.templates.keys()]).toEqual(["/note", "/task"].toReversed());
    expect(read(schema, "task: '{{ stepp }}'").faults).toEqual(["LW-TEMPLATE-PATH 1:11"]);
    expect(read(schema, "task: x\nnote: '{{ step }}'").faults).toEqual(["LW-TEMPLATE-PATH 2:11"]);
  });

  it("has a bound that core fills in where none is given", () => {
    const schema = { in: expression("list"), maxItems: count({ boundOf: "in" }) };
    expect(read(schema, "in: steps")).toMatchObject({ faults: [], value: { in: "steps" } });
    expect(read(schema, "in: steps\nmaxItems: 2k").value).toEqual({ in: "steps", maxItems: 2_000 });
    expect(read(schema, "in: steps\nmaxItems: -1").faults).toEqual(["LW-VALUE-COUNT 2:11"]);
  });
});

describe("reads of the state", () => {
  it("are told with their exact places", () => {
    const { reads } = read(
      { until: expression("bool"), say: template(), task: template({ late: true }) },
      "until: done && !done\nsay: |\n  Hi\n  {{ text }}\ntask: 'x {{ step }}'",
    );
    expect(
      reads.map(({ path: name, at, isLate }) => [name, at.line, at.column, at.endColumn, isLate]),
    ).toEqual([
      ["done", 1, 8, 12, false],
      ["done", 1, 17, 21, false],
      ["text", 4, 6, 10, false],
      ["step", 5, 13, 17, true],
    ]);
  });
});

describe("the path of a spec", () => {
  it("names a file below the root", () => {
    expect(read({ spec: specPath() }, "spec: ./none.yaml").faults).toEqual(["LW-FILE-MISSING 1:7"]);
    expect(read({ spec: specPath() }, "spec: ../../etc/passwd").faults).toEqual([
      "LW-FILE-OUTSIDE-ROOT 1:7",
    ]);
  });
});

describe("unset variables", () => {
  it("are told once, whatever the field wants", () => {
    const schema = {
      n: Type.Integer(),
      b: Type.Boolean(),
      t: Type.String(),
      wait: duration(),
      most: count(),
      pick: Type.Union([Type.Literal("a"), Type.Literal("b")]),
      either: Type.Union([Type.Number(), Type.Array(Type.String())]),
      map: Type.Object({ a: Type.String() }),
      list: Type.Array(Type.String()),
      until: expression("bool"),
      say: template(),
    };
    const yaml = Object.keys(schema)
      .map((key) => `${key}: "\${env:NONE}"\n`)
      .join("");
    const { faults } = read(schema, yaml);
    expect(faults).toHaveLength(Object.keys(schema).length);
    expect(faults.every((fault) => fault.startsWith("LW-SUBST-UNSET"))).toBe(true);
  });
});

describe("unions", () => {
  const either = { value: Type.Union([Type.Number({ minimum: 3 }), template()]) };

  it("take the variant that fits", () => {
    expect(read(either, "value: 4").value).toEqual({ value: 4 });
    const text = read(either, "value: '{{ text }}'");
    expect(text.value).toEqual({ value: "{{ text }}" });
    expect([...text.templates.keys()]).toEqual(["/value"]);
  });

  it("tell the fault of the variant that was meant", () => {
    expect(read(either, "value: 2").faults).toEqual(["LW-VALUE-RANGE 1:8"]);
    expect(read(either, "value: '{{ nope }}'").faults).toEqual(["LW-TEMPLATE-PATH 1:12"]);
    expect(read(either, "value: [1]").messages).toEqual([
      "`value` is a number or text; it is a list / write `value: 3`",
    ]);
  });

  it("name choices beside other forms", () => {
    const schema = {
      tools: Type.Union([Type.Literal("read"), Type.Literal("none"), Type.Array(Type.String())]),
    };
    expect(read(schema, "tools: reed").messages).toEqual([
      "`tools` is read or none or a list; it is `reed` / did you mean `read`?",
    ]);
    expect(read(schema, "tools: [a]").value).toEqual({ tools: ["a"] });
  });
});

describe("maps", () => {
  it("are closed unless the schema says otherwise", () => {
    expect(read({ a: Type.Optional(Type.Number()) }, "b: 1").faults).toEqual([
      "LW-STAGE-UNKNOWN-OPTION 1:1",
    ]);
    expect(
      read({ env: Type.Record(Type.String(), Type.Number()) }, "env: { A: 1, B: x }").faults,
    ).toEqual(["LW-VALUE-NUMBER-EXPECTED 1:17"]);
    expect(
      read({ any: Type.Object({}, { additionalProperties: true }) }, "any: { A: [1] }").value,
    ).toEqual({ any: { A: [1] } });
  });

  it("may be left out where everything inside has a default", () => {
    const inner = Type.Object({
      share: Type.Number({ default: 0.5 }),
      deep: Type.Object({ n: Type.Integer({ default: 1 }) }),
    });
    expect(read({ inner, other: Type.Number({ default: 0 }) }, "other: 1").value).toEqual({
      inner: { share: 0.5, deep: { n: 1 } },
      other: 1,
    });
    expect(read({ inner: Type.Object({ must: Type.Number() }) }, "{}").faults).toEqual([
      "LW-STAGE-MISSING-OPTION 1:1",
    ]);
  });
});

describe("scalars", () => {
  it("take 6.0 for 6 and refuse what is ambiguous", () => {
    expect(read({ n: Type.Integer() }, "n: 6.0").value).toEqual({ n: 6 });
    expect(read({ n: Type.Number() }, "n: '1.50'").messages).toEqual([
      '`n` is a number; the quotes around `"1.50"` make it text / write `n: 1.5`',
    ]);
    expect(read({ t: Type.String() }, "t: 007").messages).toEqual([
      '`t` is text; `007` is read as a number / write `t: "007"`',
    ]);
    expect(read({ t: Type.String() }, "t: true").messages).toEqual([
      '`t` is text; `true` is read as a boolean / write `t: "true"`',
    ]);
    expect(read({ b: Type.Boolean() }, "b: no").messages).toEqual([
      "`b` is true or false, not `no` / write `b: false`",
    ]);
  });

  it("are converted where a variable gives all of them", () => {
    const schema = {
      n: Type.Integer(),
      b: Type.Boolean(),
      t: Type.String(),
      wait: duration(),
      pick: Type.Union([Type.Literal(1), Type.Literal(2)]),
    };
    const yaml =
      'n: "${env:N}"\nb: "${env:B}"\nt: "${env:N}"\nwait: "${env:W}"\npick: "${env:N}"\n';
    expect(read(schema, yaml, { N: "2", B: "false", W: "3s" }).value).toEqual({
      n: 2,
      b: false,
      t: "2",
      wait: 3_000,
      pick: 2,
    });
    expect(read(schema, yaml, { N: "two", B: "no", W: "3" }).faults).toEqual([
      "LW-VALUE-NUMBER-EXPECTED 1:4",
      "LW-VALUE-BOOLEAN-EXPECTED 2:4",
      "LW-VALUE-DURATION 4:7",
      "LW-VALUE-CHOICE 5:7",
    ]);
  });

  it("may hold a secret only where the plugin says so", () => {
    expect(
      read(
        { t: Type.String(), any: Type.Unknown() },
        "t: 'x${secret:K}'\nany: { deep: ['${secret:K}'] }\n",
      ).faults,
    ).toEqual(["LW-SUBST-SECRET-PLACE 1:4", "LW-SUBST-SECRET-PLACE 2:15"]);
    expect(read({ t: Type.String() }, "t: 'x$${secret:K}'").faults).toEqual([]);
  });
});

describe("a path of a file that is read", () => {
  const schema = { file: path({ exists: true }) };

  it("is refused where no file is, unless the run's id is part of it", () => {
    expect(read(schema, "file: no-such-file.yaml").faults).toEqual(["LW-FILE-MISSING 1:7"]);
    expect(read(schema, 'file: "no-${run:id}.yaml"').faults).toEqual([]);
    expect(read({ file: path() }, "file: no-such-file.yaml").faults).toEqual([]);
  });
});
