/** `loopwright plugins --help`. */
export const PLUGINS: string = `usage: loopwright plugins [--json] [--root DIR] [--no-discovery]

Lists every plugin that a spec of this project may name: the built-in ones and
those of the project's direct dependencies; then the packages that are broken.

examples
  loopwright plugins
  loopwright plugins --json | jq -r '.plugins[].id'
`;
