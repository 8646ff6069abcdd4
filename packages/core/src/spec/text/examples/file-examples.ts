import type { CodesOf, DiagnosticExample } from "./diagnostic-example.ts";

/** Examples of the codes that begin with `LW-FILE`. */
export const fileExamples: Readonly<Record<CodesOf<"LW-FILE">, DiagnosticExample>> = {
  "LW-FILE-MISSING": {
    why: "A file that a spec names is read before anything runs, so it has to be there. A path is relative to the file that says it, not to the working folder.",
    wrong: "instructions: ${file:prompts/ruels.txt}",
    right: "instructions: ${file:prompts/rules.txt}",
  },
  "LW-FILE-UNREADABLE": {
    why: "The path leads to something that holds no text: a folder, a device, or a file that may not be read.",
    wrong: "instructions: ${file:prompts}",
    right: "instructions: ${file:prompts/rules.txt}",
  },
  "LW-FILE-OUTSIDE-ROOT": {
    why: "A spec is data that may come from anybody, so it reads nothing outside its project, by symbolic links neither.",
    wrong: "instructions: ${file:../../rules.txt}",
    right: "instructions: ${file:prompts/rules.txt}",
  },
  "LW-FILE-TOO-LARGE": {
    why: "What a spec reads ends up in memory, and often in a prompt: beyond the cap it is a mistake or an attack.",
    wrong: "instructions: ${file:prompts/whole-manual.txt}",
    right: "instructions: ${file:prompts/rules.txt}",
  },
  "LW-FILE-EMPTY": {
    why: "An empty file is more often a save that failed than a spec that says nothing.",
    wrong: "# name: order-desk",
    right: `apiVersion: loopwright/v1
name: order-desk
model: ollama/llama3
task: Answer the customer.
strategy: direct`,
  },
  "LW-FILE-ENCODING": {
    why: "Specs are UTF-8. In another encoding the same bytes are other letters, and nobody would notice in a prompt.",
    wrong: `# saved as Latin-1
description: A café's desk.`,
    right: `# saved as UTF-8
description: A café's desk.`,
  },
  "LW-FILE-CONTROL-CHARACTER": {
    why: "YAML knows no control characters; one that slipped in with a paste is invisible in most editors.",
    wrong: `# a backspace stands after "desk"
description: The desk.`,
    right: "description: The desk.",
  },
  "LW-FILE-LINE-ENDING": {
    why: "A bare carriage return ends a line for some programs and not for others, so the places of all findings would be wrong.",
    wrong: `# saved with the line endings of old Macs
description: The desk.`,
    right: `# saved with LF or CRLF
description: The desk.`,
  },
  "LW-FILE-FORMAT": {
    why: "A file that ends in .json, .jsonl or .yaml is read as data, so it has to be that data; the script or the recording of a model has to be one, too.",
    wrong: `strategy:
  direct:
    examples: \${file:broken.jsonl}`,
    right: `strategy:
  direct:
    examples: \${file:examples.jsonl}`,
  },
  "LW-FILE-UNSUPPORTED": {
    why: "A spreadsheet or a picture is no text that could be put into a spec. Export it as .csv or .jsonl first.",
    wrong: `strategy:
  direct:
    examples: \${file:examples.xlsx}`,
    right: `strategy:
  direct:
    examples: \${file:examples.jsonl}`,
  },
  "LW-FILE-EXTENDS-CYCLE": {
    why: "A file that extends itself, also by way of others, has no beginning.",
    wrong: `# loop.yaml says \`extends: example.yaml\`
extends: loop.yaml`,
    right: `# base.yaml extends nothing
extends: base.yaml`,
  },
  "LW-FILE-CHAIN": {
    why: "A long chain of files, or many of them, can hide what a spec says and take long to read; both are capped.",
    wrong: `# chain-1.yaml extends chain-2.yaml, and so on to chain-40.yaml
extends: chain-1.yaml`,
    right: "extends: base.yaml",
  },
  "LW-FILE-NOT-FOLDER": {
    why: "The workspace is where tools read and write; one that does not exist is a typing mistake, and is not made.",
    wrong: "workspace: wrok",
    right: "workspace: work",
  },
  "LW-FILE-UNWRITABLE": {
    why: "What a run writes has to end up somewhere. Folders on the way are made, but a folder can't be written like a file, and a file is no folder.",
    wrong: "sinks: [{ jsonl: { path: prompts } }]",
    right: "sinks: [{ jsonl: { path: prompts/log.jsonl } }]",
  },
};
