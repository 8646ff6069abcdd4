import { expect, test } from "vitest";
import { compileText, programOf } from "../../../test/stub-plugins.ts";

const spec =
  "apiVersion: loopwright/v1\nname: set\nmodel: ollama/s\ntools: [calculator]\nstrategy: [{ react: {} }]\n";
const set = (path: string, value: string) => ({ overrides: [{ path, value }] });

test("text is typed by the field that it sets", async () => {
  const { stages } = await programOf(spec, set("stages.react.maxSteps", "2"));
  expect(stages.get("react")?.options["maxSteps"]).toBe(2);
});

test("a list or a map is written as in a spec", async () => {
  const { tools } = await programOf(
    spec,
    set("tools", "{ sum: { use: calculator, timeout: 2s } }"),
  );
  expect(tools.get("sum")?.policy.timeoutMs).toBe(2_000);
  const { task } = await programOf(spec, set("task.constraints", "[Be short., Be kind.]"));
  expect(task.constraints).toHaveLength(2);
});

test("text that only begins like a list stays text", async () => {
  const { program } = await compileText(spec, set("task", "[urgent] Look at this"));
  expect(JSON.stringify(program?.canonical["task"])).toContain("[urgent] Look at this");
});
