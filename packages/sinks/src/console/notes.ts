import { liveNote } from "./live-notes.ts";
import type { RunEvent } from "@loopwright/core/plugin";
import { compact } from "./compact.ts";
import { endpointNote } from "./endpoint-notes.ts";
import { choiceNote, factToldNote } from "./fact-notes.ts";
import {
  approvalNote,
  approvedNote,
  limitNote,
  memoryNote,
  questionNote,
  rejectedNote,
  replyNote,
  stubbedNote,
  suspicionNote,
} from "./incident-notes.ts";
import { aside, type Level, type Note, warning } from "./note.ts";
import { planNote, planStepNote } from "./plan-notes.ts";
import { toolIncidentNote } from "./tool-notes.ts";
import {
  answerNote,
  callNote,
  learnedNote,
  recalledNote,
  toolNote,
  verdictNote,
  voteNote,
} from "./work-notes.ts";

/** What `quiet` still tells: whatever waits for a person, and a record or a memory that has holes. */
const URGENT: ReadonlySet<string> = new Set([
  "approval.requested",
  "question.asked",
  "sink.failed",
  "events.dropped",
  "memory.failed",
]);

/** The note of an event that needs no memory of others, if a reader of this level wants one. */
export function noteOf(event: RunEvent, level: Level): Note | undefined {
  if (level === "quiet" && !URGENT.has(event.name)) return undefined;
  return factNote(event, level) ?? (level === "verbose" ? verboseNote(event) : undefined);
}

function factNote(event: RunEvent, level: Level): Note | undefined {
  switch (event.name) {
    case "plan.made":
      return planNote("plan", event.data, level);
    case "plan.revised":
      return planNote("new plan", event.data, level);
    case "plan-step.ended":
      return planStepNote(event.data);
    case "answer.given":
      return answerNote("answer", event);
    case "answer.revised":
      return answerNote("revised", event);
    case "verdict.given":
      return verdictNote(event.data, level);
    case "lessons.recalled":
      return recalledNote(event.data);
    case "lesson.learned":
      return learnedNote(event.data);
    case "vote.counted":
      return voteNote(event.data);
    case "choice.made":
      return choiceNote(event.data);
    default:
      return incidentNote(event);
  }
}

function incidentNote(event: RunEvent): Note | undefined {
  switch (event.name) {
    case "output.rejected":
      return rejectedNote(event.data);
    case "limit.reached":
      return limitNote(event.data);
    case "approval.requested":
      return approvalNote(event.data);
    case "approval.given":
      return approvedNote(event.data);
    case "question.asked":
      return questionNote(event.data);
    case "question.answered":
      return replyNote(event.data);
    case "effect.stubbed":
      return stubbedNote(event.data);
    case "injection.suspected":
      return suspicionNote(event.data);
    case "memory.failed":
      return memoryNote(event.data);
    case "fact.told":
      return factToldNote(event.data);
    case "sink.failed":
      return warning("sink", `${event.data.sink} failed: ${event.data.message}`);
    case "events.dropped":
      return warning("sink", `${event.data.sink} missed ${event.data.count} events`);
    default:
      return liveNote(event) ?? toolIncidentNote(event) ?? endpointNote(event);
  }
}

function verboseNote(event: RunEvent): Note | undefined {
  switch (event.name) {
    case "step.start":
      return aside("step", `${event.data.index} of ${event.data.max}`);
    case "model-call.end":
      return callNote(event.data);
    case "tool-call.end":
      return toolNote(event.data);
    case "lessons.recalled":
      return aside("recalled", `nothing from ${event.data.memory}`);
    case "lesson.refused":
      return aside("known", `${event.data.lesson} (${event.data.reason})`);
    case "output.repaired":
      return aside("repaired", event.data.repairs.join(", "));
    case "fact.told":
      return aside("fact", `${event.data.fact}  ${compact(event.data.data)}`);
    case "stage.end":
      return event.data.outcome === "skipped" ? aside("skipped", event.data.strategy) : undefined;
    default:
      return undefined;
  }
}
