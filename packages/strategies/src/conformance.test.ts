import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeStrategy, tempFolder } from "@loopwright/testkit";
import { chainOfThought } from "./chain-of-thought.ts";
import { agent } from "./control/agent.ts";
import { ask } from "./control/ask.ts";
import { branch } from "./control/branch.ts";
import { choose } from "./control/choose.ts";
import { fallback } from "./control/fallback.ts";
import { forEach } from "./control/for-each.ts";
import { loop } from "./control/loop.ts";
import { parallel } from "./control/parallel.ts";
import { stop } from "./control/stop.ts";
import { direct } from "./direct.ts";
import { planAndSolve } from "./plan-and-solve.ts";
import { plan } from "./plan.ts";
import { react } from "./react.ts";
import { recall } from "./recall.ts";
import { refine } from "./refine.ts";
import { reflect } from "./reflect.ts";
import { selfConsistency } from "./self-consistency.ts";
import { verify } from "./verify.ts";

describeStrategy(direct);
describeStrategy(chainOfThought);
describeStrategy(plan);
describeStrategy(planAndSolve);
describeStrategy(react, { options: { maxSteps: 3, maxCallsPerStep: 2 } });
describeStrategy(verify, { unusedSlots: ["answer"] });
describeStrategy(refine);
describeStrategy(reflect, { options: { into: "lessons" } });
describeStrategy(recall, { options: { from: "lessons" } });
describeStrategy(selfConsistency, { options: { samples: 3 } });
describeStrategy(loop, { options: { maxRounds: 3, until: "answer.revision > 1" } });
describeStrategy(ask, { options: { question: "Which colour?", options: ["red", "blue"] } });
describeStrategy(stop, { options: { reason: "It is enough." } });
describeStrategy(branch, { options: { if: "answer.revision == 0" } });
describeStrategy(choose);
describeStrategy(parallel);
describeStrategy(fallback);
describeStrategy(forEach, {
  options: { in: "['one', 'two', 'three']", item: "word", task: "{{ word }}", maxItems: 3 },
});

const root = tempFolder();
const INNER = `apiVersion: loopwright/v1
name: inner
model: testkit-model/any
strategy: [testkit/answer, { testkit/answer: { id: again } }]
`;
writeFileSync(join(root, "inner.yaml"), INNER);
describeStrategy(agent, { root, options: { spec: "inner.yaml" } });
