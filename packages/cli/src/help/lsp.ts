/** `loopwright lsp --help`. */
export const LSP: string = `usage: loopwright lsp [--stdio] [--root DIR] [--no-discovery]

A language server for specs, on standard input and output: an editor starts it.

  --stdio                 as editors write it; it is the only way there is
  --root DIR              the project root (default: nearest package.json above)
  --no-discovery          built-in plugins only

examples
  loopwright lsp --stdio
`;
