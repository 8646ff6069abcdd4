import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { providers } from "@loopwright/providers";
import { strategies } from "@loopwright/strategies";
import { afterEach, expect, it } from "vitest";
import { tempFolder } from "../conformance/temp-folder.ts";
import { runSpec } from "../run-spec.ts";
import { type StubOpenAi, stubOpenAi } from "../stub-servers/stub-openai.ts";

const folder = tempFolder();
const plugins = [providers, strategies];
let server: StubOpenAi | undefined;
afterEach(() => server?.close());

function specOf(url: string, profile: string): string {
  return `apiVersion: loopwright/v1
name: changed-profile
task: Say hello.
model:
  use: deepseek/deepseek-v4-pro
  baseUrl: ${url}
  maxTokens: 50
  effort: none
  profile: ${profile}
strategy: direct
`;
}

async function bodyOf(profile: string): Promise<unknown> {
  server = await stubOpenAi({ replies: () => ({ text: "Hello." }) });
  const run = await runSpec(specOf(server.url, profile), {
    plugins,
    root: folder,
    env: { HOUSE_KEY: "k" },
  });
  expect(run.outcome.outcome).toBe("done");
  return server.requests[0];
}

it("lays the fields of a spec over a profile", async () => {
  const body = await bodyOf(
    "{ extends: deepseek, keyName: HOUSE_KEY, maxTokensField: max_completion_tokens }",
  );
  expect(body).toMatchObject({
    max_completion_tokens: 50,
    thinking: { type: "disabled" },
    stream_options: { include_usage: true },
  });
});

it("takes another profile than the one before the model", async () => {
  expect(await bodyOf("vllm")).toMatchObject({ chat_template_kwargs: { enable_thinking: false } });
});

it("takes the fields of a file", async () => {
  writeFileSync(
    join(folder, "my-profile.yaml"),
    "extends: glm\nefforts: { none: { think: false } }\nstructured: json-mode\n",
  );
  const body = await bodyOf('"${file:my-profile.yaml}"');
  expect(body).toMatchObject({ max_tokens: 50, think: false });
  expect(body).not.toHaveProperty("stream_options");
});

it.each([
  ["{ extends: deepseek, ecco: always }", "ecco"],
  ["{ extends: deepseek, echo: sometimes }", "sometimes"],
  ["{ extends: deepseek, efforts: { none: 4 } }", "none"],
  ["{ extends: deepseek, efforts: { max: { a: 1 } } }", "max"],
  ["nowhere", "nowhere"],
])("refuses %s", async (profile, named) => {
  const spec = specOf("http://127.0.0.1:9/v1", profile);
  await expect(runSpec(spec, { plugins, root: folder })).rejects.toThrow(named);
});
