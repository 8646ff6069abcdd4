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
