/** `loopwright schema --help`. */
export const SCHEMA: string = `usage: loopwright schema [--out FILE] [--root DIR] [--no-discovery]

Writes the JSON Schema of specs, with the options of every plugin installed
here, so that editors complete and check while you type.

  --out FILE              writes a file (default: standard output)
  --root DIR              the project root (default: nearest package.json above)
  --no-discovery          built-in plugins only

examples
  loopwright schema --out schema/loopwright.schema.json
`;
