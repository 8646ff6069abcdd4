const { window, workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

/** @type {{ stop(): Promise<void> } | undefined} */
let client;

/** Starts `loopwright lsp` for the YAML files of the workspace. */
async function activate() {
  const [command, ...args] = workspace.getConfiguration("loopwright").get("command", []);
  if (command === undefined) return;
  const cwd = workspace.workspaceFolders?.[0]?.uri.fsPath;
  const options = { cwd, shell: process.platform === "win32" };
  const documentSelector = [{ scheme: "file", language: "yaml" }];
  client = new LanguageClient(
    "loopwright",
    "Loopwright",
    { command, args, options },
    { documentSelector },
  );
  try {
    await client.start();
  } catch (fault) {
    void window.showWarningMessage(
      `Loopwright: \`${[command, ...args].join(" ")}\` did not start (${String(fault)}); install it with \`npm i -D loopwright\`.`,
    );
  }
}

function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate };
