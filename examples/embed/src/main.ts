import { fileURLToPath } from "node:url";
import { createApp } from "@loopwright/core";
import { strategies } from "@loopwright/strategies";
import { shop } from "./shop.ts";

/** What agent.yaml declares under `output`. */
interface Refund {
  readonly reply: string;
  readonly paid: boolean;
}

const spec = fileURLToPath(new URL("../agent.yaml", import.meta.url));
const limitEuros = 50;

const app = await createApp({ plugins: [strategies, shop], discovery: false });
const program = await app.compile({ file: spec }); // throws, with every mistake of the file in its message
const run = app.start(program, {
  inputs: { orderId: "A-17", euros: Number(process.argv[2] ?? 25) },
});

run.on("step.start", ({ data }) => console.log(`step ${data.index} of at most ${data.max}`));
run.on("approval.requested", () => {
  for (const request of run.pending()) {
    if (request.kind !== "approval") continue;
    const { euros } = request.input as { readonly euros: number };
    const approved = euros <= limitEuros; // here a product would ask somebody
    console.log(`${request.tool} of ${euros} euros: ${approved ? "approved" : "denied"}`);
    run.respond(request.id, { approved, reason: `the limit is ${limitEuros} euros` });
  }
});

const { outcome, value, reason, spending } = await run.outcome; // never rejects
if (outcome === "done") {
  const { reply, paid } = value as unknown as Refund;
  console.log(`${paid ? "paid" : "not paid"} after ${spending.modelCalls} model calls: ${reply}`);
} else console.log(`${outcome}: ${reason}`);
await app.close();
