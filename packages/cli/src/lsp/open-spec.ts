import { fileURLToPath } from "node:url";
import type { CheckResult } from "@loopwright/core";
import type { TextDocument } from "vscode-languageserver-textdocument";
import type { OutlineNode } from "./outline-node.ts";
import { readOutline } from "./outline.ts";

/** A document of the editor, read as a spec: its outline now, and the index of the last check. */
export class OpenSpec {
  readonly uri: string;
  /** Absolute; the URI itself where the document is no file. */
  readonly file: string;
  #document: TextDocument;
  #outline: { readonly version: number; readonly node: OutlineNode | undefined } | undefined;
  #checked: CheckResult | undefined;
  /** Ends with the first check, whether it found anything out or failed. */
  readonly firstCheck: Promise<void>;
  #endFirstCheck: () => void = () => undefined;

  constructor(document: TextDocument) {
    this.#document = document;
    this.firstCheck = new Promise((resolve) => {
      this.#endFirstCheck = resolve;
    });
    this.uri = document.uri;
    this.file = document.uri.startsWith("file:") ? fileURLToPath(document.uri) : document.uri;
  }

  get document(): TextDocument {
    return this.#document;
  }

  get text(): string {
    return this.#document.getText();
  }

  get outline(): OutlineNode | undefined {
    const { version } = this.#document;
    if (this.#outline?.version !== version)
      this.#outline = { version, node: readOutline(this.text) };
    return this.#outline.node;
  }

  /** What the last check found; of an older text while one is typed. */
  get checked(): CheckResult | undefined {
    return this.#checked;
  }

  /** Keeps what a check found; an index of a text that could not be read says less than the one before. */
  keep(result: CheckResult): void {
    this.#endFirstCheck();
    const isEmpty = result.index.root === undefined;
    const before = this.#checked;
    this.#checked = isEmpty && before !== undefined ? { ...result, index: before.index } : result;
  }

  /** Says that a check failed: nobody waits for its result. */
  keepNothing(): void {
    this.#endFirstCheck();
  }

  replace(document: TextDocument): void {
    this.#document = document;
  }
}
