/** `loopwright migrate --help`. */
export const MIGRATE: string = `usage: loopwright migrate SPEC… [--check]

Brings specs to the present apiVersion, step by step, and says what each step
changed. Comments stay. A spec of the present version is left as it is.

  --check                 writes nothing; says what would change

examples
  loopwright migrate order-desk.yaml

exit: 0 done, 1 with --check where a spec would change, 4 a file is broken or of
an unknown version
`;
