import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeTool, tempFolder } from "@loopwright/testkit";
import { expect } from "vitest";
import { calculator } from "./calculator.ts";
import { httpGet } from "./http-get.ts";
import { readFile } from "./read-file.ts";
import { reflection } from "./reflection.ts";

describeTool(calculator, {
  examples: [
    { input: { expression: "(249 - 40) * 0.92" }, matches: 192.28 },
    { input: { expression: "2 ^ 80" }, matches: "1208925819614629174706176" },
  ],
  badInputs: [{ expression: "1 / 0" }, { expression: "process.exit()" }, { expression: "" }],
});

const projectRoot = tempFolder();
writeFileSync(join(projectRoot, "notes.txt"), "one\ntwo\nthree\n");

describeTool(readFile, {
  services: () => ({ projectRoot }),
  examples: [
    { input: { path: "notes.txt" }, matches: "one\ntwo\nthree" },
    { input: { path: "notes.txt", offset: 2, limit: 1 }, matches: expect.stringContaining("two") },
  ],
  badInputs: [{ path: "missing.txt" }, { path: "../notes.txt" }, { path: "." }, { path: "" }],
});

describeTool(reflection, {
  examples: [
    {
      input: { moment: "tool-error", analysis: "The order number has a digit too many." },
      matches: expect.stringContaining("Next:"),
    },
  ],
  badInputs: [
    { moment: "later", analysis: "…" },
    { moment: "tool-error", analysis: "" },
  ],
});

describeTool(httpGet, {
  options: {
    url: "https://api.example.com/rates",
    input: {
      type: "object",
      properties: { currency: { type: "string", description: "Three letters." } },
      required: ["currency"],
    },
  },
  services: () => ({ fetch: serveRates }),
  examples: [{ input: { currency: "EUR" }, matches: { rate: 1 } }],
  badInputs: [{ currency: "XXX" }, {}],
});

async function serveRates(url: URL, { signal }: RequestInit): Promise<Response> {
  signal?.throwIfAborted();
  const isKnown = url.searchParams.get("currency") === "EUR";
  return isKnown ? Response.json({ rate: 1 }) : new Response("no such currency", { status: 404 });
}
