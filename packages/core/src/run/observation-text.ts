import type { Observation } from "../contracts/state.ts";
import { fenceSpelling } from "./fence-spelling.ts";

/**
 * The text of an observation for a prompt: what the tool returned stands between two lines that no content can write,
 * however it spells them; what core says about the call stands behind the fence.
 *
 * Use it for every message or prompt that shows a tool's result.
 */
export function observationText(observation: Observation): string {
  const { id, tool, content, ok, degraded, notes = [] } = observation;
  const status = degraded ? ' status="degraded"' : ok ? "" : ' status="failed"';
  const lines = notes.map((note) => `\nnote: ${defuseContent(note.replaceAll(/\s+/gu, " "))}`);
  return `<observation id="${id}" tool="${tool}"${status}>\n${defuseContent(content)}\n</observation>${lines.join("")}`;
}

/** The ids of the observations that a text shows in fences of its own; what a content names further on shows nothing. */
export function shownObservations(text: string): readonly string[] {
  return [...text.matchAll(FENCED)].map(([, id = ""]) => id);
}

/** A text without the contents of its observations: what is left is no tool's. */
export function withoutFenced(text: string): string {
  return text.replaceAll(FENCED, "");
}

const FENCED = /^<observation id="([^"\n]*)" tool=.*?\n<\/observation>$/gmsu;

/** Text from a tool in which nothing opens or closes a fence, and nothing in brackets is the id of an observation. */
export function defuseContent(text: string): string {
  const defused = defuseFences(text);
  return MAY_HOLD_ID.test(defused) ? defused.replace(fenceSpelling(defused).id, "$1_$2") : defused;
}

/** Text in which nothing opens or closes a fence; ids that it cites stay. */
export function defuseFences(text: string): string {
  return MAY_HOLD_FENCE.test(text) ? text.replace(fenceSpelling(text).fence, "$1_$2") : text;
}

// Most results hold neither, and need no look at their letters.
const MAY_HOLD_FENCE =
  /[<&%\\\uFF1C\uFE64\u2039\u00AB\u3008\u300A\u27E8\u27EA\u2329\u276C\u276E\u2770\u02C2\u1438\u226A\u29FC]/u;
const MAY_HOLD_ID = /[[&%\\\uFF3B\u3010\u3014\u27E6\uFE5D\u3016]/u;
