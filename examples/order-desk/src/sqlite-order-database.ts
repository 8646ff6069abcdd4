import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import type Database from "libsql";
import type { Address, Order, OrderItem, OrderStatus, Refund } from "./order.ts";
import type { OrderDatabase } from "./order-database.ts";
import { SEED_ORDERS } from "./seed-orders.ts";

interface OrderRow {
  readonly id: string;
  readonly customer: string;
  readonly status: OrderStatus;
  readonly total_cents: number;
  readonly currency: string;
  readonly paid_on: string;
  readonly shipped_on: string | null;
  readonly delivered_on: string | null;
  readonly promised_on: string | null;
  readonly carrier: string | null;
  readonly tracking: string | null;
  readonly street: string;
  readonly postal_code: string;
  readonly city: string;
  readonly country: string;
}

interface RefundRow {
  readonly order_id: string;
  readonly amount_cents: number;
  readonly reason: string;
}

const BUSY_TIMEOUT_MS = 2_000;
const SCHEMA_VERSION = 1;

/** Opens the orders in a SQLite file; makes its folder, and fills a fresh file with the seed. */
export async function openSqliteOrderDatabase(file: string): Promise<OrderDatabase> {
  await mkdir(dirname(file), { recursive: true });
  const { default: Sqlite } = await import("libsql");
  const database = new Sqlite(file, { timeout: BUSY_TIMEOUT_MS });
  try {
    seed(database);
    database.exec(REFUNDS);
  } catch (error) {
    database.close();
    throw error;
  }
  return {
    findOrder: async (id) => findOrder(database, id),
    updateAddress: async (id, address) => updateAddress(database, id, address),
    findRefund: async (orderId) => findRefund(database, orderId),
    refund: async (refund) => addRefund(database, refund),
    close: async () => {
      database.close();
    },
  };
}

/** Two processes may open one fresh file: the write lock is taken before the version is read. */
function seed(database: Database.Database): void {
  const fill = database.transaction(() => {
    const version = database.prepare("PRAGMA user_version").raw().get() as [number];
    if (version[0] === SCHEMA_VERSION) return;
    database.exec(SCHEMA);
    for (const order of SEED_ORDERS) insertOrder(database, order);
    database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
  });
  fill.immediate();
}

function insertOrder(database: Database.Database, order: Order): void {
  const { items, address, ...fields } = order;
  database.prepare(INSERT_ORDER).run({ ...fields, ...address });
  const addItem = database.prepare("INSERT INTO order_items VALUES (?, ?, ?, ?)");
  for (const [line, item] of items.entries()) addItem.run(order.id, line, item.name, item.quantity);
}

function findOrder(database: Database.Database, id: string): Order | undefined {
  const row = database.prepare("SELECT * FROM orders WHERE id = ?").get(id) as OrderRow | undefined;
  if (row === undefined) return undefined;
  const items = database
    .prepare("SELECT name, quantity FROM order_items WHERE order_id = ? ORDER BY line")
    .all(id) as OrderItem[];
  return toOrder(row, items);
}

function updateAddress(
  database: Database.Database,
  id: string,
  address: Address,
): Order | undefined {
  const { changes } = database
    .prepare(UPDATE_ADDRESS)
    .run(address.street, address.postalCode, address.city, address.country, id);
  return changes === 0 ? undefined : findOrder(database, id);
}

function findRefund(database: Database.Database, id: string): Refund | undefined {
  const row = database.prepare("SELECT * FROM refunds WHERE order_id = ?").get(id) as
    | RefundRow
    | undefined;
  if (row === undefined) return undefined;
  return { orderId: row.order_id, amountCents: row.amount_cents, reason: row.reason };
}

/** One statement decides and writes, so that two calls at one time make one refund. */
function addRefund(database: Database.Database, refund: Refund): boolean {
  const { orderId, amountCents, reason } = refund;
  const { changes } = database
    .prepare(ADD_REFUND)
    .run(amountCents, reason, orderId, amountCents, amountCents);
  return changes === 1;
}

function toOrder(row: OrderRow, items: readonly OrderItem[]): Order {
  return {
    id: row.id,
    customer: row.customer,
    status: row.status,
    items: items.map(({ name, quantity }) => ({ name, quantity })),
    totalCents: row.total_cents,
    currency: row.currency,
    paidOn: row.paid_on,
    shippedOn: row.shipped_on,
    deliveredOn: row.delivered_on,
    promisedOn: row.promised_on,
    carrier: row.carrier,
    tracking: row.tracking,
    address: {
      street: row.street,
      postalCode: row.postal_code,
      city: row.city,
      country: row.country,
    },
  };
}

const INSERT_ORDER = `
  INSERT INTO orders VALUES (
    :id, :customer, :status, :totalCents, :currency, :paidOn, :shippedOn, :deliveredOn, :promisedOn,
    :carrier, :tracking, :street, :postalCode, :city, :country
  )`;

const UPDATE_ADDRESS = `
  UPDATE orders SET street = ?, postal_code = ?, city = ?, country = ?
  WHERE id = ? AND status IN ('paid', 'packed')`;

const ADD_REFUND = `
  INSERT INTO refunds (order_id, amount_cents, reason)
  SELECT id, ?, ? FROM orders WHERE id = ? AND status <> 'cancelled' AND total_cents >= ? AND ? > 0
  ON CONFLICT (order_id) DO NOTHING`;

/** Made in files of earlier versions too. */
const REFUNDS = `
  CREATE TABLE IF NOT EXISTS refunds (
    order_id TEXT PRIMARY KEY REFERENCES orders (id),
    amount_cents INTEGER NOT NULL,
    reason TEXT NOT NULL
  );`;

const SCHEMA = `
  CREATE TABLE orders (
    id TEXT PRIMARY KEY,
    customer TEXT NOT NULL,
    status TEXT NOT NULL,
    total_cents INTEGER NOT NULL,
    currency TEXT NOT NULL,
    paid_on TEXT NOT NULL,
    shipped_on TEXT,
    delivered_on TEXT,
    promised_on TEXT,
    carrier TEXT,
    tracking TEXT,
    street TEXT NOT NULL,
    postal_code TEXT NOT NULL,
    city TEXT NOT NULL,
    country TEXT NOT NULL
  );
  CREATE TABLE order_items (
    order_id TEXT NOT NULL REFERENCES orders (id),
    line INTEGER NOT NULL,
    name TEXT NOT NULL,
    quantity INTEGER NOT NULL,
    PRIMARY KEY (order_id, line)
  );`;
