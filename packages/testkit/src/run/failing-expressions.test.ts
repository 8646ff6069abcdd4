import { expect, it } from "vitest";
import { runScripted } from "../promises/run-scripted.ts";

it("is a fault of the spec, told at its place", async () => {
  const { outcome } = await runScripted(
    "strategy:\n  - direct\n  - direct: { id: last, when: 1 / (answer.revision - 1) > 0 }\n",
    ["one"],
  );
  expect(outcome.outcome).toBe("failed");
  expect(outcome.fault?.code).toBe("expression-failed");
  expect(outcome.reason).toMatch(
    /^`1 \/ \(answer\.revision - 1\) > 0` \(.+:\d+\) can't be computed: division by zero$/u,
  );
});
