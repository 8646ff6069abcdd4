/** `loopwright fmt --help`. */
export const FMT: string = `usage: loopwright fmt SPEC… [--check | --stdout]

Writes specs with their keys in the one order, and with quotes where a reader of
YAML 1.1 would go wrong (yes, off, 1:30, 2026-08-24). Comments, empty lines,
line endings and the meaning stay. A broken file is told and left as it is.

  --check                 writes nothing; lists the specs that would change
  --stdout                prints the result, and leaves the file as it is

examples
  loopwright fmt order-desk.yaml
  loopwright fmt specs/*.yaml --check

exit: 0 done, 1 with --check where a spec would change, 4 a file is broken
`;
