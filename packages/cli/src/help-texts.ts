/** `loopwright --help`, before and after the list of commands. */
export const USAGE = `loopwright: agents declared in YAML, checked, compiled, run

usage: loopwright COMMAND …    loopwright COMMAND --help    loopwright --version
`;

/** What the exit codes mean. */
export const EXITS = `exit codes
  0 done   1 failed   2 limited   3 aborted   4 spec or input wrong
  5 suspended (reserved)   64 command line wrong   130 killed by Ctrl-C twice

LOOPWRIGHT_DEBUG=1 adds stack traces to messages; NO_COLOR takes colours away.
`;

const COMPILING = `  --set PATH=VALUE        a value over the file, e.g. stages.react.maxSteps=4
  --model ROLE=MODEL      another model (provider/name) for a role, for
                          \`default\`, or for every one (\`*\`); with settings:
                          '*={ use: openai/X, price: { input: 1, output: 2 } }'
  --replies FILE          the script of a --model of \`scripted\` or \`replay\`
  --root DIR              the project root (default: nearest package.json above)
  --no-discovery          built-in plugins only
`;

/** `loopwright run --help`. */
export const RUN: string = `usage: loopwright run SPEC [TEXT…] [options]

Runs a spec. TEXT is the task in words; \`-\` reads it from standard input.

  -i, --input NAME=VALUE  an input, typed as the spec declares it
  -i NAME=@FILE           an input from a file (\`@@x\` is the text \`@x\`)
  -i @FILE                many inputs from a .json or .yaml file
${COMPILING}  --dry-run               tools act on nothing; what they would do is told
  --yes                   approve every tool call that asks. You answer for it.
  --json                  one JSON object on standard output at the end
  -q, --quiet             only the end     --verbose   every text in full

Keys come from the environment, or from the project's .env file.
Ctrl-C ends the run and shows what stands; a second one kills it.

examples
  loopwright run order-desk.yaml "Where is my parcel?" -i orderId=A20260824001
  loopwright run triage.yaml -i ticket=@mail.txt --model judge=kimi/kimi-k3
  loopwright run desk.yaml --model '*=scripted/desk' --replies replies.yaml

exit: 0 done, 1 failed, 2 limited, 3 aborted, 4 spec or input wrong
`;

/** `loopwright check --help`. */
export const CHECK: string = `usage: loopwright check SPEC… [options]

Says everything that is wrong with specs, with the place and the repair. Needs
no key and no network.

${COMPILING}  --json                  the findings as one JSON object

examples
  loopwright check order-desk.yaml
  loopwright check specs/*.yaml --json

exit: 0 no errors (there may be warnings), 4 errors
`;

/** `loopwright explain --help`. */
export const EXPLAIN: string = `usage: loopwright explain SPEC [options]

Shows the stages that a spec compiles to, their models and tools, and the worst
case in model and tool calls.

${COMPILING}  --spec                  what was compiled, as YAML, defaults filled in
                          (to read: it is no spec file)
  --json                  as one JSON object

examples
  loopwright explain order-desk.yaml
  loopwright explain order-desk.yaml --spec --set stages.react.maxSteps=3
`;

/** `loopwright plugins --help`. */
export const PLUGINS: string = `usage: loopwright plugins [--json] [--root DIR] [--no-discovery]

Lists every plugin that a spec of this project may name: the built-in ones and
those of the project's direct dependencies; then the packages that are broken.

examples
  loopwright plugins
  loopwright plugins --json | jq -r '.plugins[].id'
`;

/** `loopwright lessons --help`. */
export const LESSONS: string = `usage: loopwright lessons list SPEC             loopwright lessons show ID SPEC
       loopwright lessons remove ID SPEC        loopwright lessons prune SPEC

What a spec has learned. ID may be the first letters of one; \`prune\` removes
what has expired.

  --memory NAME           which memory, where the spec has several
  --set PATH=VALUE        a value over the file, e.g. another path
  --root DIR              the project root (default: nearest package.json above)
  --no-discovery          built-in plugins only
  --json                  as one JSON object

examples
  loopwright lessons list order-desk.yaml
  loopwright lessons remove 3f2a order-desk.yaml
`;

/** `loopwright demo --help`. */
export const DEMO: string = `usage: loopwright demo [--verbose]

Runs specs/order-desk.yaml of the Loopwright repository three times; it works in
a clone of it alone, where \`npm start\` does the same. The model's replies are
scripted; the compiler, the tools, the checks, the memory and the events are
real. It needs no key and no network; the orders stay in .loopwright/.
`;
