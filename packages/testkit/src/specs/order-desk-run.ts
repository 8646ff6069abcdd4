import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Order, OrderDatabase, type Refund, SEED_ORDERS } from "@acme/loopwright-orders";
import { query, refundOrder, updateAddress } from "@acme/loopwright-orders/tools";
import { type CompileOptions, type PluginPackage, provide } from "@loopwright/core";
import { runSpec, type RunSpecOptions, type SpecRun } from "../run-spec.ts";
import { builtIn, repositoryRoot, specFile } from "./example-specs.ts";

/** The tools of the order desk; the database is the test's. */
export const orderTools: PluginPackage = {
  name: "@acme/loopwright-orders",
  entries: [
    { kind: "tool", id: "orders/query", load: async () => query },
    { kind: "tool", id: "orders/update-address", load: async () => updateAddress },
    { kind: "tool", id: "orders/refund-order", load: async () => refundOrder },
  ],
};

/** The scripted model in place of every model of the order desk. */
export const scriptedModels: NonNullable<CompileOptions["models"]> = [
  {
    match: "*",
    model: "scripted/order-desk",
    options: { file: specFile("scripts/order-desk.yaml") },
  },
];

/** An order desk of its own: orders, lessons and logs that no other test sees. */
export interface OrderDesk {
  readonly orders: OrderDatabase;
  /** The folder of `lessons.jsonl` and of one log a run. */
  readonly folder: string;
  /** The spec's places for lessons and logs, moved into the folder. */
  readonly overrides: NonNullable<CompileOptions["overrides"]>;
  readonly logOf: (runId: string) => string;
  readonly run: (
    orderId: string,
    task: string,
    options?: Partial<RunSpecOptions>,
  ) => Promise<SpecRun>;
  readonly close: () => Promise<void>;
}

/** Opens an order desk with fresh orders and nothing learned. */
export async function openOrderDesk(): Promise<OrderDesk> {
  // A path of a spec stays inside the project; this folder is never committed.
  const shared = join(repositoryRoot, ".loopwright", "tests");
  await mkdir(shared, { recursive: true });
  const folder = await mkdtemp(join(shared, "order-desk-"));
  const orders = inMemoryOrders();
  const overrides = [
    { path: "memory.lessons.path", value: join(folder, "lessons.jsonl") },
    { path: "sinks", value: [{ jsonl: { path: join(folder, "${run:id}.jsonl") } }] },
  ];
  return {
    orders,
    folder,
    overrides,
    logOf: (runId) => join(folder, `${runId}.jsonl`),
    run: (orderId, task, options = {}) =>
      runSpec(
        { file: specFile("order-desk.yaml") },
        {
          plugins: [...builtIn, orderTools],
          services: [provide(OrderDatabase, orders)],
          root: repositoryRoot,
          input: { task, inputs: { orderId } },
          ...options,
          compile: { overrides, models: scriptedModels, ...options.compile },
        },
      ),
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

function inMemoryOrders(): OrderDatabase {
  const orders = new Map<string, Order>(SEED_ORDERS.map((order) => [order.id, order]));
  const refunds = new Map<string, Refund>();
  return {
    findOrder: async (id) => orders.get(id),
    updateAddress: async (id, address) => {
      const order = orders.get(id);
      if (order === undefined || !["paid", "packed"].includes(order.status)) return undefined;
      const changed = { ...order, address };
      orders.set(id, changed);
      return changed;
    },
    findRefund: async (orderId) => refunds.get(orderId),
    refund: async (refund) => {
      const order = orders.get(refund.orderId);
      const isRefused =
        order === undefined ||
        order.status === "cancelled" ||
        refunds.has(refund.orderId) ||
        refund.amountCents < 1 ||
        refund.amountCents > order.totalCents;
      if (!isRefused) refunds.set(refund.orderId, refund);
      return !isRefused;
    },
    close: async () => {},
  };
}
