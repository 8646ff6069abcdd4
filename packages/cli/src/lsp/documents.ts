import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { TextDocument } from "vscode-languageserver-textdocument";
import { OpenSpec } from "./open-spec.ts";
import { isSpecText } from "./spec-text.ts";

/** The specs among the documents that an editor has open. */
export class SpecDocuments {
  readonly #open = new Map<string, OpenSpec>();

  /** The spec of a document; undefined where it is none, or is not open. */
  get(uri: string): OpenSpec | undefined {
    return this.#open.get(uri);
  }

  get all(): readonly OpenSpec[] {
    return [...this.#open.values()];
  }

  /** Takes a document as it is now; once a spec, it stays one while it is open. */
  update(document: TextDocument): OpenSpec | undefined {
    const known = this.#open.get(document.uri);
    if (known !== undefined) {
      known.replace(document);
      return known;
    }
    if (document.languageId !== "loopwright" && !isSpecText(document.getText())) return undefined;
    const spec = new OpenSpec(document);
    this.#open.set(document.uri, spec);
    return spec;
  }

  remove(uri: string): OpenSpec | undefined {
    const known = this.#open.get(uri);
    this.#open.delete(uri);
    return known;
  }

  /** A file as the editor has it, or as it is on the disk; undefined where it can't be read. */
  ofFile(file: string): OpenSpec | undefined {
    const uri = pathToFileURL(file).href;
    const known = this.#open.get(uri);
    if (known !== undefined) return known;
    try {
      return new OpenSpec(TextDocument.create(uri, "yaml", 0, readFileSync(file, "utf8")));
    } catch {
      // Whoever asked does without it: a file may be gone since the last check.
      return undefined;
    }
  }
}
