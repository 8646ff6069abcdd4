/** `loopwright doctor --help`. */
export const DOCTOR: string = `usage: loopwright doctor [SPEC…] [options]

Says what specs need to run here: the variables, where each is used and whether
it is set (never its value), the endpoints of the models, the plugins and
whether they load. Asks no network.

  --overlay NAME          lay one of the spec's overlays over it (repeatable)
  --root DIR              the project root (default: nearest package.json above)
  --no-discovery          built-in plugins only
  --json                  as one JSON object

examples
  loopwright doctor
  loopwright doctor order-desk.yaml

exit: 0 all is there, 1 something is missing
`;
