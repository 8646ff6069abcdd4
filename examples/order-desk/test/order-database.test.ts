import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type OrderDatabase, orderDatabase } from "@acme/loopwright-orders/services";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const NEW_ADDRESS = {
  street: "12 Example Street",
  postalCode: "00012",
  city: "Leeds",
  country: "GB",
};

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "order-desk-"));
});

afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

function open(): Promise<OrderDatabase> {
  return orderDatabase.create({ root } as never) as Promise<OrderDatabase>;
}

async function dispose(database: OrderDatabase): Promise<void> {
  await orderDatabase.dispose?.(database as never);
}

describe("the order database", () => {
  it("makes its file under the project root and fills it", async () => {
    const database = await open();
    const order = await database.findOrder("A20260824001");
    await dispose(database);
    expect((await stat(join(root, ".loopwright", "orders.sqlite"))).isFile()).toBe(true);
    expect(order).toMatchObject({
      status: "shipped",
      promisedOn: null,
      items: [{ name: "walking boots, size 42", quantity: 1 }],
    });
  });

  it("keeps a changed address over a reopening and seeds no second time", async () => {
    const first = await open();
    const changed = await first.updateAddress("A20260824002", NEW_ADDRESS);
    await dispose(first);
    expect(changed?.address).toEqual(NEW_ADDRESS);

    const second = await open();
    const kept = await second.findOrder("A20260824002");
    await dispose(second);
    expect(kept).toEqual(changed);
    expect(kept?.items).toHaveLength(2);
  });

  it.each(["A20260824001", "A20260818003", "A20260822005", "A20260824999"])(
    "changes nothing for %s, which is not in the house",
    async (id) => {
      const database = await open();
      const before = await database.findOrder(id);
      const changed = await database.updateAddress(id, NEW_ADDRESS);
      const after = await database.findOrder(id);
      await dispose(database);
      expect(changed).toBeUndefined();
      expect(after).toEqual(before);
    },
  );

  it("takes values as values, never as SQL", async () => {
    const database = await open();
    const street = "1'; DROP TABLE orders; --";
    const changed = await database.updateAddress("A20260824002", { ...NEW_ADDRESS, street });
    const other = await database.findOrder("A20260823007");
    await dispose(database);
    expect(changed?.address.street).toBe(street);
    expect(other).toBeDefined();
  });

  it("can be opened twice at once on a fresh root", async () => {
    const [one, two] = await Promise.all([open(), open()]);
    await one.updateAddress("A20260824002", NEW_ADDRESS);
    const seen = await two.findOrder("A20260824002");
    await dispose(one);
    await dispose(two);
    expect(seen?.address.city).toBe("Leeds");
  });

  it("refunds an order once, at most what was paid, and keeps that over a reopening", async () => {
    const refund = { orderId: "A20260824002", amountCents: 9_850, reason: "it's late" };
    const database = await open();
    const refused = [
      await database.refund({ ...refund, amountCents: 9_851 }),
      await database.refund({ ...refund, orderId: "A20260822005", amountCents: 1 }),
      await database.refund({ ...refund, orderId: "A20260824999", amountCents: 1 }),
    ];
    const written = await database.refund(refund);
    await dispose(database);
    const again = await open();
    const second = await again.refund({ ...refund, amountCents: 1 });
    const found = await again.findRefund("A20260824002");
    await dispose(again);
    expect(refused).toEqual([false, false, false]);
    expect([written, second]).toEqual([true, false]);
    expect(found).toEqual(refund);
  });

  it("is closed by its disposal", async () => {
    const database = await open();
    await dispose(database);
    await expect(database.findOrder("A20260824001")).rejects.toThrow(/not open|closed/i);
  });
});
