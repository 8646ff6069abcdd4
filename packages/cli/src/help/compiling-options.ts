/** The options of every command that compiles a spec. */
export const COMPILING: string = `  --set PATH=VALUE        a value over the file, e.g. stages.react.maxSteps=4
  --model ROLE=MODEL      another model (provider/name) for a role, for
                          \`default\`, or for every one (\`*\`); with settings:
                          '*={ use: openai/X, price: { input: 1, output: 2 } }'
  --replies FILE          the script of a --model of \`scripted\` or \`replay\`
  --root DIR              the project root (default: nearest package.json above)
  --no-discovery          built-in plugins only
`;
