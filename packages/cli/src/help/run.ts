import { COMPILING } from "./compiling-options.ts";

/** `loopwright run --help`. */
export const RUN: string = `usage: loopwright run SPEC [TEXT…] [options]

Runs a spec. TEXT is the task in words; \`-\` reads it from standard input.

  -i, --input NAME=VALUE  an input, typed as the spec declares it
  -i NAME=@FILE           an input from a file (\`@@x\` is the text \`@x\`)
  -i @FILE                many inputs from a .json or .yaml file
${COMPILING}  --overlay NAME          lay one of the spec's overlays over it (repeatable)
  --switch NAME           throw a switch of the spec at the start (repeatable)
  --dry-run               tools act on nothing; what they would do is listed
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
