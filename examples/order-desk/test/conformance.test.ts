import assert from "node:assert/strict";
import { join } from "node:path";
import { type OrderDatabase, orderDatabase } from "@acme/loopwright-orders";
import { query, refundOrder, updateAddress } from "@acme/loopwright-orders/tools";
import { describeService, describeTool, tempFolder } from "@loopwright/testkit";
import { inMemoryOrders } from "./in-memory-orders.ts";

const address = { street: "12 Example Street", postalCode: "00012", city: "Leeds", country: "GB" };

describeTool(query, {
  services: () => ({ orders: inMemoryOrders() }),
  examples: [
    { input: { orderId: "A20260824001" }, matches: { found: true, status: "shipped" } },
    { input: { orderId: "A20260824999" }, matches: { found: false } },
  ],
  badInputs: [{}, { orderId: "" }, { orderId: 20260824001 }],
});

describeTool(updateAddress, {
  services: () => ({ orders: inMemoryOrders() }),
  examples: [
    { input: { orderId: "A20260824002", address }, matches: { changed: true, address } },
    { input: { orderId: "A20260824001", address }, matches: { changed: false, address: null } },
  ],
  badInputs: [{ orderId: "A20260824002" }, { orderId: "A20260824002", address: { city: "Leeds" } }],
});

describeTool(refundOrder, {
  services: () => ({ orders: inMemoryOrders() }),
  examples: [
    {
      input: { orderId: "A20260824002", amountCents: 9_850, reason: "too late" },
      matches: { refunded: true, amount: "98.50 EUR" },
    },
    {
      input: { orderId: "A20260824002", amountCents: 9_851, reason: "too late" },
      matches: { refunded: false, amount: null },
    },
  ],
  badInputs: [
    { orderId: "A20260824002" },
    { orderId: "A20260824002", amountCents: 0, reason: "none" },
  ],
});

const folder = tempFolder();
let apps = 0;

describeService<OrderDatabase>(orderDatabase, {
  services: () => ({ root: join(folder, `app-${++apps}`) }),
  use: async (orders) => {
    assert.equal((await orders.findOrder("A20260824001"))?.customer, "Alex Example");
    assert.deepEqual((await orders.updateAddress("A20260824002", address))?.address, address);
  },
});
