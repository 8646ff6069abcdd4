import type { ToolContext, ToolFunction, ToolQuestion } from "@loopwright/core/plugin";
import { toolContext } from "@loopwright/testkit";
import { describe, expect, it } from "vitest";
import { askPerson } from "./ask-person.ts";

const ask = askPerson.create({} as never, {} as never) as ToolFunction<unknown, string>;

function person(reply?: string): { readonly asked: ToolQuestion[]; readonly call: ToolContext } {
  const asked: ToolQuestion[] = [];
  const call = toolContext({
    askPerson: async (question) => {
      asked.push(question);
      return { answered: reply !== undefined, reply: reply ?? "" };
    },
  });
  return { asked, call };
}

describe("ask-person", () => {
  it("passes the question on, and the reply back", async () => {
    const { asked, call } = person("the blue one");
    expect(await ask({ question: "Which colour?" }, call)).toBe("the blue one");
    expect(asked).toEqual([{ question: "Which colour?" }]);
  });

  it("offers answers to choose from", async () => {
    const { asked, call } = person("blue");
    const input = { question: "Which colour?", options: ["red", "blue"] };
    expect(await ask(input, call)).toBe("blue");
    expect(asked).toEqual([input]);
  });

  it("waits as long as the spec says", async () => {
    const { asked, call } = person("yes");
    const brief = askPerson.create({ maxWait: 60_000 } as never, {} as never) as typeof ask;
    await brief({ question: "Really?" }, call);
    expect(asked).toEqual([{ question: "Really?", timeoutMs: 60_000 }]);
  });

  it("takes no answer for a result", async () => {
    expect(await ask({ question: "Which colour?" }, person().call)).toMatch(/^Nobody answered\./);
    expect(await ask({ question: "Which colour?" }, person(" ").call)).toMatch(/empty text/);
  });

  it("does not bother a person with a question that is none", async () => {
    const { asked, call } = person("yes");
    for (const input of [{ question: " " }, { question: "Which?", options: ["a", "a"] }])
      await expect(ask(input, call)).rejects.toThrow(/^Not asked: /);
    expect(asked).toEqual([]);
  });
});
