import type { Diagnostics } from "../text/diagnostic.ts";
import type { MapNode, SpecNode } from "../text/spec-node.ts";
import { holdsSecret, refuseSecret, secretHolders } from "./read-secret.ts";

/**
 * Reports every `${secret:…}` that no reader has judged, so that it can hide in no name, id, list or text. Called at the
 * end of a pass with the whole spec. What stands inside something that could not be read, like the options of an unknown
 * plugin, is left alone: nobody knows what is secret there; nor does it look into overlays, which are read when they are
 * laid over.
 */
export function sweepSecrets(root: SpecNode, diagnostics: Diagnostics): void {
  if (secretHolders(root).length === 0) return;
  const faulty = new Set(
    diagnostics.items
      .filter(({ severity }) => severity === "error")
      .map(({ file, line, column }) => `${file}:${line}:${column}`),
  );
  const isFaulty = ({ file, line, column }: SpecNode): boolean =>
    faulty.size > 0 && faulty.has(`${file}:${line}:${column}`);
  const isUnread = (map: MapNode): boolean =>
    faulty.size > 0 &&
    ["use", "extends", "profile"].some((name) => {
      const said = map.entries.get(name);
      return said !== undefined && (isFaulty(said.key) || isFaulty(said.value));
    });
  const sweep = (node: SpecNode): void => {
    if (node.kind === "list") node.items.forEach(sweep);
    else if (node.kind === "scalar") {
      if (holdsSecret(node) && !diagnostics.isSecretJudged(node) && !isFaulty(node))
        refuseSecret(node, diagnostics);
    } else if (!isUnread(node)) {
      for (const { key, value } of node.entries.values())
        if (!isFaulty(key) && key.path !== "overlays") sweep(value);
    }
  };
  sweep(root);
}
