import { type TSchema, Type } from "@loopwright/core/plugin";
import { oneOf } from "../shared/one-of.ts";
import { oneLine } from "../shared/one-line.ts";
import { callKeyOf, callLine, doubleNames } from "../shared/tool-plan.ts";
import { type Hypothesis, isLive, NONE_ID } from "./hypotheses.ts";

const Check = Type.Object({
  tool: Type.String({ description: "The name of the tool." }),
  arguments: Type.Array(Type.Object({ name: Type.String(), value: Type.String() }), {
    description: "One entry for each argument; lists and objects as JSON text.",
  }),
  question: Type.String({ description: "What is asked of the result; yes or no answers it." }),
  expects: Type.Array(
    Type.Object({
      hypothesis: Type.String({ description: "Its id, like H1." }),
      says: oneOf(["yes", "no", "either"], {
        description: "The answer if the hypothesis holds; either where it does not say.",
      }),
    }),
    { description: "One entry for each hypothesis that is still live." },
  ),
  reason: Type.String({ description: "Why this check, in one sentence." }),
});

/** A call of a tool that may tell hypotheses apart: by the answer to its question that each of them expects. */
export interface ProposedCheck {
  readonly tool: string;
  readonly arguments: readonly { readonly name: string; readonly value: string }[];
  readonly question: string;
  readonly expects: readonly {
    readonly hypothesis: string;
    readonly says: "yes" | "no" | "either";
  }[];
  readonly reason: string;
}

/** The schema of the checks that a model proposes. */
export const CheckDraft: TSchema & {
  readonly static: { readonly checks: readonly ProposedCheck[] };
} = Type.Object({ checks: Type.Array(Check, { maxItems: 3 }) });

/** The check that is made, and those that are not, each with the reason. */
export interface Choice {
  readonly chosen?: ProposedCheck;
  readonly passedOver: readonly {
    readonly check: ProposedCheck;
    readonly reason:
      | "unknown-tool"
      | "argument-twice"
      | "made-before"
      | "tells-nothing-apart"
      | "tells-less-apart";
  }[];
}

/** Chooses the check that tells most pairs of live hypotheses apart; of equals the first. No check is made twice. */
export function chooseCheck(
  proposed: readonly ProposedCheck[],
  hypotheses: readonly Hypothesis[],
  known: { readonly tools: ReadonlySet<string>; readonly made: ReadonlySet<string> },
): Choice {
  const faultOf = (check: ProposedCheck) => {
    if (!known.tools.has(check.tool)) return "unknown-tool";
    if (doubleNames(check).length > 0) return "argument-twice";
    if (known.made.has(callKeyOf(check))) return "made-before";
    return separation(check, hypotheses) === 0 ? "tells-nothing-apart" : undefined;
  };
  const [chosen] = proposed
    .filter((check) => faultOf(check) === undefined)
    .toSorted((one, other) => separation(other, hypotheses) - separation(one, hypotheses));
  const passedOver = proposed
    .filter((check) => check !== chosen)
    .map((check) => ({ check, reason: faultOf(check) ?? "tells-less-apart" }) as const);
  return chosen === undefined ? { passedOver } : { chosen, passedOver };
}

/**
 * How many pairs of hypotheses a check tells apart: those that expect opposite answers, and by half those of which one
 * expects an answer and the other none. "None of these" expects none.
 */
export function separation(check: ProposedCheck, hypotheses: readonly Hypothesis[]): number {
  const answers = hypotheses
    .filter((one) => isLive(one) || one.id === NONE_ID)
    .map(({ id }) =>
      id === NONE_ID
        ? "either"
        : (check.expects.find(({ hypothesis }) => hypothesis === id)?.says ?? "either"),
    );
  const count = (wanted: string): number => answers.filter((answer) => answer === wanted).length;
  const [yes, no, either] = [count("yes"), count("no"), count("either")];
  return yes * no + ((yes + no) * either) / 2;
}

/** A check as one line, to be read by a person or a model. */
export function checkLine(check: ProposedCheck): string {
  return `${callLine(check)}: ${oneLine(check.question)}`;
}
