/** `loopwright demo --help`. */
export const DEMO: string = `usage: loopwright demo [--verbose]

Runs specs/order-desk.yaml of the Loopwright repository three times; it works in
a clone of it alone, where \`npm start\` does the same. The model's replies are
scripted; the compiler, the tools, the checks, the memory and the events are
real. It needs no key and no network; the orders stay in .loopwright/.
`;
