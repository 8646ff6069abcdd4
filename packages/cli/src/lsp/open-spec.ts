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

  constructor(document: TextDocument) {
    this.#document = document;
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
    const isEmpty = result.index.root === undefined;
    const before = this.#checked;
    this.#checked = isEmpty && before !== undefined ? { ...result, index: before.index } : result;
  }

  replace(document: TextDocument): void {
    this.#document = document;
  }
}

/** Whether a YAML document says that it is a spec; other YAML is nothing to this server. */
export function isSpecText(text: string): boolean {
  return (
    /^["']?apiVersion["']?[ \t]*:[ \t]*["']?loopwright/mu.test(text) ||
    /^# yaml-language-server:.*loopwright/mu.test(text)
  );
}
