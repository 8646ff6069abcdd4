import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Type } from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { misfitsOf } from "../../../testkit/src/conformance/json-schema.ts";
import { providers } from "../builtin.ts";
import { openai } from "../openai.ts";
import { plainProfile } from "./plain-profile.ts";
import { fieldSchemas, type Profile } from "./profile-fields.ts";
import { profileOf, profiles } from "./profiles.ts";

const ids = Object.keys(profiles);
const optional = new Set([
  "schemaModels",
  "jsonTokens",
  "thinkingTokens",
  "parallelCalls",
  "callIdPattern",
  "toolNamePattern",
  "maxTools",
  "echoFiller",
  "thinkingModels",
  "alwaysThinkingModels",
  "embeddingBatch",
]);
const whole = Type.Object(
  Object.fromEntries(
    Object.entries(fieldSchemas).map(([name, schema]) => [
      name,
      optional.has(name) ? Type.Optional(schema) : schema,
    ]),
  ),
  { additionalProperties: false },
);

describe("the profiles", () => {
  it("are the files of their folder, and the ids by which specs name the provider", () => {
    const folder = fileURLToPath(new URL("./profiles/", import.meta.url));
    const files = readdirSync(folder).map((file) => file.replace(/\.ts$/, ""));
    expect(ids.toSorted()).toEqual(files.toSorted());
    const entry = providers.entries.find(({ id }) => id === "openai");
    expect([entry?.id, ...(entry?.profiles ?? [])]).toEqual(ids);
  });

  it.each(ids)("fit the schema of their fields, alone and whole: %s", (id) => {
    expect(misfitsOf(profiles[id], openai.profileFields)).toEqual([]);
    expect(misfitsOf(profileOf(id), whole)).toEqual([]);
  });

  it.each(ids)("say only what they must: %s", (id) => {
    const plain = Object.entries(plainProfile) as [keyof Profile, unknown][];
    const repeated = plain.filter(
      ([name, value]) => JSON.stringify(profiles[id]?.[name]) === JSON.stringify(value),
    );
    expect(repeated.map(([name]) => name)).toEqual(
      id === "custom" ? ["keyName"] : id === "anthropic-compat" ? ["structured"] : [],
    );
  });

  it.each(ids)("have patterns that can be read, and efforts for all: %s", (id) => {
    const profile = profileOf(id);
    for (const name of [
      "schemaModels",
      "thinkingModels",
      "alwaysThinkingModels",
      "callIdPattern",
      "toolNamePattern",
    ] as const)
      expect(() => new RegExp(profile[name] ?? "")).not.toThrow();
    expect(Object.keys(profile.efforts)).toEqual(["none", "minimal", "low", "medium", "high"]);
  });

  it("take from a spec what fits, and nothing else", () => {
    expect(misfitsOf({ echo: "always", echoFiller: "x" }, openai.profileFields)).toEqual([]);
    expect(misfitsOf({ echo: "sometimes" }, openai.profileFields)).not.toEqual([]);
    expect(misfitsOf({ ecco: "always" }, openai.profileFields)).not.toEqual([]);
    expect(misfitsOf({ embeddingBatch: 0 }, openai.profileFields)).not.toEqual([]);
  });

  it("stand in docs/profiles.md (npx vitest run profiles.test.ts -u writes it)", async () => {
    await expect(renderProfiles()).toMatchFileSnapshot("../../../../docs/profiles.md");
  });
});

function renderProfiles(): string {
  const cells = (id: string): readonly string[] => {
    const { endpoint, keyName, needsKey, free, structured, schemaModels, echo, embeddingBatch } =
      profileOf(id);
    return [
      `\`${id}\``,
      endpoint === "" ? "`baseUrl` of the model" : endpoint,
      `\`${keyName}\`${needsKey ? "" : ", if any"}`,
      schemaModels === undefined ? structured : `${structured}; json-schema for some`,
      echo,
      embeddingBatch === undefined ? "no" : `${embeddingBatch} a request`,
      free ? "yes" : "no",
    ];
  };
  const fields = Object.entries(fieldSchemas).map(([name, { description }]) => [
    `\`${name}\``,
    String(description),
    shown(plainProfile[name as keyof Profile]),
  ]);
  return [
    HEAD,
    table(
      ["Profile", "Endpoint", "Key", "Schemas", "Reasoning back", "Embeddings", "Free"],
      ids.map(cells),
    ),
    CHANGING,
    table(["Field", "What it says", "Where a profile says nothing"], fields),
    "## What each profile says\n",
    ...ids.map(
      (id) => `### ${id}\n\n\`\`\`json\n${JSON.stringify(profiles[id], null, 2)}\n\`\`\`\n`,
    ),
    SOURCES,
  ].join("\n");
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => "---"), ...rows];
  return `${lines.map((cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`).join("\n")}\n`;
}

function shown(value: unknown): string {
  return value === undefined ? "" : `\`${JSON.stringify(value)}\``;
}

const HEAD = `# Profiles

Every endpoint that speaks OpenAI's chat protocol speaks it in its own way. A profile is the data by which the \`openai\` provider keeps to that way. A spec names one before the model: \`deepseek/deepseek-v4-pro\`, \`ollama/qwen3\`. The file is written from the profiles by a test, which compares it.
`;

const CHANGING = `## Changing one

A model in a spec may lay fields over a profile. What it leaves out stays as it is; of \`efforts\`, each effort counts alone.

\`\`\`yaml
models:
  default:
    use: deepseek/deepseek-v4-pro
    profile:
      extends: deepseek
      echo: always
      maxTokensField: max_completion_tokens
\`\`\`

The fields can stand in a file of their own: \`profile: "\${file:my-profile.yaml}"\`. DeepSeek's address for trials, for one, holds arguments to their schemas:

\`\`\`yaml
extends: deepseek
endpoint: https://api.deepseek.com/beta
toolDialect: deepseek
toolFields: { strict: true }
\`\`\`

Fields that a request says and the endpoint would refuse while its model thinks are left out (\`notWhileThinking\`). A schema of a tool that the endpoint could not take is left open: the arguments are held to the tool's own schema when they come. Ids of calls that an endpoint does not take, because another one made them, are rewritten, always in the same way; so are names of tools, which come back as they were.

Token counts are read under the names of either of OpenAI's protocols (\`prompt_tokens\`, \`input_tokens\`), also where they are written as text; where an endpoint tells none that can be read, they are estimated. A reply that is an open \`<think>\` to its end is thinking without an answer: it is refused as \`thinking-only\`, and its thoughts are kept in the dead letter. Where no reply comes at all, the fault shows the first 200 characters of what came.
`;

const SOURCES = `## Where this comes from

Facts of the vendors' own pages, and of public reports where the pages are silent; read in November 2026.

- OpenAI: \`strict\` schemas are enforced; models that reason refuse \`temperature\` and \`stop\`; an id of a call has 40 characters at most.
- DeepSeek: JSON mode sees to the syntax alone, and gives blanks where a reply is no JSON. \`reasoning_content\` has to come back with every message that holds calls, also empty. \`reasoning_effort\` can't switch thinking off.
- Kimi: a tool has a name of 3 to 64 letters, digits, \`_\` and \`-\` that begins with none of the digits nor \`-\`, and a request offers 128 tools at most. Schemas of tools are checked before the run against its own part of JSON Schema; a union at the root fails the request. Reasoning comes back as with DeepSeek; some endpoints refuse an empty one, and take a blank.
- Qwen: JSON needs thinking off, and so do replies that come whole. Where the spec says an \`effort\`, it counts more: the call then asks for its form in words alone.
- GLM: there is no \`stream_options\`, and arguments come in pieces only with \`tool_stream\`.
- Gemini: tokens of thoughts are counted beside the completion. Signatures beside calls have to come back.
- Anthropic's compatible address ignores schemas and efforts; the package \`@loopwright/anthropic\` speaks its own protocol.
- Ollama leaves its grammar aside while the model thinks; neither it nor llama.cpp shows the schema to the model.
- vLLM and llama.cpp switch thinking through the chat template.
`;
