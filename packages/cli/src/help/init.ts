/** `loopwright init --help`. */
export const INIT: string = `usage: loopwright init [FOLDER] [options]

Writes a first spec and an .env.example into FOLDER (default: this one). Asks
for what no option says; without a terminal, --yes takes the defaults. It never
overwrites a file.

  --name NAME             the agent's name, kebab-case; the file is NAME.yaml
  --model PROVIDER/NAME   the model, like deepseek/deepseek-v4-flash; with
                          scripted/NAME a file of replies is written too, and
                          it runs offline
  --task TEXT             what the agent does; left out, each run says it
  --tools LIST            tools by id, with commas between; \`none\` for none
  --strategy ID           direct, react, plan-and-solve or verify
  --yes                   the defaults for everything that no option says

examples
  loopwright init
  loopwright init desk --name desk --model kimi/kimi-k3 --tools calculator --yes

exit: 0 written, 4 a file is in the way or an answer is wrong, 130 Ctrl-C
`;
