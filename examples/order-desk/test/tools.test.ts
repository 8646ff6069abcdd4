import { OrderDatabase } from "@acme/loopwright-orders";
import { query, refundOrder, updateAddress } from "@acme/loopwright-orders/tools";
import type { ToolDefinition } from "@loopwright/core/plugin";
import { toolContext } from "@loopwright/testkit";
import { describe, expect, it } from "vitest";
import { inMemoryOrders } from "./in-memory-orders.ts";

const NEW_ADDRESS = {
  street: "12 Example Street",
  postalCode: "00012",
  city: "Leeds",
  country: "GB",
};

async function call(
  tool: ToolDefinition,
  input: object,
  orders = inMemoryOrders(),
): Promise<unknown> {
  return tool.create({} as never, { orders } as never)(input as never, toolContext());
}

describe("orders/query", () => {
  it("reads only, and asks for the shared database", () => {
    expect(query).toMatchObject({ kind: "tool", id: "orders/query", effect: "read" });
    expect(query.inject).toEqual({ orders: OrderDatabase });
  });

  it("tells what a reply to the customer needs, and that no date is promised", async () => {
    expect(await call(query, { orderId: "A20260824001" })).toEqual({
      found: true,
      orderId: "A20260824001",
      customer: "Alex Example",
      status: "shipped",
      items: "1 x walking boots, size 42",
      total: "129.00 EUR",
      paidOn: "2026-08-24",
      shippedOn: "2026-08-25",
      deliveredOn: null,
      promisedOn: null,
      carrier: "Example Parcel",
      tracking: "EXP-0000-4711",
      city: "Ghent",
    });
  });

  it("keeps the street of a customer to itself", async () => {
    const result = await call(query, { orderId: "A20260824002" });
    expect(JSON.stringify(result)).not.toContain("Street");
  });

  it("answers an unknown number with a result", async () => {
    expect(await call(query, { orderId: "A20260824999" })).toEqual({
      found: false,
      orderId: "A20260824999",
      message: "no order A20260824999 exists",
    });
  });
});

describe("orders/update-address", () => {
  it("has an effect of its own, so that a person is asked", () => {
    expect(updateAddress).toMatchObject({ id: "orders/update-address", effect: "once" });
  });

  it("changes the address of an order in the house", async () => {
    const orders = inMemoryOrders();
    const input = { orderId: "A20260824002", address: NEW_ADDRESS };
    expect(await call(updateAddress, input, orders)).toEqual({ changed: true, ...input });
    expect((await orders.findOrder("A20260824002"))?.address).toEqual(NEW_ADDRESS);
  });

  it.each([
    ["A20260824001", /has shipped on 2026-08-25/],
    ["A20260818003", /has shipped on 2026-08-19/],
    ["A20260822005", /is cancelled/],
    ["A20260824999", /no order A20260824999 exists/],
  ])("refuses %s and says why", async (orderId, reason) => {
    const orders = inMemoryOrders();
    const before = await orders.findOrder(orderId);
    const result = await call(updateAddress, { orderId, address: NEW_ADDRESS }, orders);
    expect(result).toEqual({
      changed: false,
      orderId,
      address: null,
      reason: expect.stringMatching(reason) as string,
    });
    expect(await orders.findOrder(orderId)).toEqual(before);
  });
});

describe("orders/refund-order", () => {
  const refund = { orderId: "A20260824002", amountCents: 9_850, reason: "too late" };

  it("has an effect of its own, so that a person is asked", () => {
    expect(refundOrder).toMatchObject({ id: "orders/refund-order", effect: "once" });
  });

  it("sends money back once", async () => {
    const orders = inMemoryOrders();
    expect(await call(refundOrder, refund, orders)).toEqual({
      refunded: true,
      orderId: "A20260824002",
      amount: "98.50 EUR",
    });
    expect(await orders.findRefund("A20260824002")).toEqual(refund);
    expect(await call(refundOrder, refund, orders)).toMatchObject({
      refunded: false,
      reason: expect.stringContaining("was refunded before: 98.50 EUR") as string,
    });
  });

  it.each([
    ["A20260824002", 9_851, /98.51 EUR is more than the 98.50 EUR that were paid/],
    ["A20260822005", 100, /is cancelled/],
    ["A20260824999", 100, /no order A20260824999 exists/],
  ])("refuses %s over %i cents and says why", async (orderId, amountCents, reason) => {
    const orders = inMemoryOrders();
    expect(await call(refundOrder, { ...refund, orderId, amountCents }, orders)).toEqual({
      refunded: false,
      orderId,
      amount: null,
      reason: expect.stringMatching(reason) as string,
    });
    expect(await orders.findRefund(orderId)).toBeUndefined();
  });
});
