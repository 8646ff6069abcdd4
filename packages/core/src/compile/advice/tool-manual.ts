import type { SpecDocument } from "../../spec/document/read-document.ts";
import type { Diagnostics } from "../../spec/text/diagnostic.ts";
import { entry, type SpecNode } from "../../spec/text/spec-node.ts";
import type { AdviceParts } from "./advice-parts.ts";

/** A part of a tool's manual, and the words by which a description has it, in English or Chinese. */
interface ManualPart {
  readonly name: string;
  readonly cue: RegExp;
}

const manual: readonly ManualPart[] = [
  { name: "what it is for", cue: /\p{L}+\s+\p{L}+\s+\p{L}+|\p{Script=Han}{4,}/u },
  {
    name: "when to use it",
    cue: /\b(use|used|using|useful|call|ask|when|whenever|if|before|after|once|for every|to (find|get|look|see|check))\b|用于|用来|使用|适用|当|时|需要|如果|查询|之前|之后/iu,
  },
  {
    name: "when not",
    cue: /\b(not|never|cannot|can't|don't|doesn't|won't|instead|unless|except|only|rather|no longer|avoid|refuses?|nothing)\b|不|勿|禁止|避免|仅|只|除非|除了|无法/iu,
  },
  {
    name: "what comes back",
    cue: /\b(returns?|returned|gives?( back)?|answers? with|results?|replies|reply|responds?|response|yields?|outputs?|comes? back|says? whether|reports?|an error)\b|返回|结果|得到|给出|输出|回复|告诉/iu,
  },
];

/** Warns of tools whose description leaves out a part of a manual: models choose tools by nothing else. */
export function adviseToolManual({ draft, document }: AdviceParts, diagnostics: Diagnostics): void {
  for (const { name, description, definition } of draft.tools.values()) {
    // A set's own description is for people; models read those of its tools.
    if (definition.set !== undefined) continue;
    const missing = manual.filter(({ cue }) => !cue.test(description));
    const at = toolPlace(document, name);
    if (missing.length === 0 || at === undefined) continue;
    const parts = missing.map((part) => part.name);
    diagnostics.warn(
      "LW-TOOL-NO-MANUAL",
      at,
      `the description of \`${name}\` does not say ${listed(parts)}; a model chooses a tool by its description alone`,
      "write a `description:` with four sentences: what it is for, when to use it, when not, what comes back",
    );
  }
}

function listed(parts: readonly string[]): string {
  const [last = "", ...others] = parts.toReversed();
  return others.length === 0 ? last : `${others.toReversed().join(", ")} or ${last}`;
}

/** The tool's description in the spec, else its name there. */
function toolPlace(document: SpecDocument, name: string): SpecNode | undefined {
  const tools = document.section("tools");
  if (tools?.kind === "map") {
    const said = tools.entries.get(name);
    if (said === undefined) return tools;
    return (said.value.kind === "map" && entry(said.value, "description")) || said.key;
  }
  if (tools?.kind !== "list") return tools;
  for (const item of tools.items) {
    if (item.kind === "scalar" && isNamed(String(item.value), name)) return item;
    const [only] = item.kind === "map" ? item.entries.values() : [];
    if (only !== undefined && isNamed(only.key.text, name))
      return (only.value.kind === "map" && entry(only.value, "description")) || only.key;
  }
  return tools;
}

// A list may say the short id of a plugin.
function isNamed(said: string, name: string): boolean {
  return said === name || name.endsWith(`/${said}`);
}
