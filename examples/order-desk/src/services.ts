import { join } from "node:path";
import { defineService, ProjectRoot, type ServiceDefinition } from "@loopwright/core/plugin";
import { OrderDatabase } from "./order-database.ts";
import { openSqliteOrderDatabase } from "./sqlite-order-database.ts";

export { OrderDatabase };

/** Keeps the orders in `.loopwright/orders.sqlite` under the project root. */
export const orderDatabase: ServiceDefinition = defineService({
  token: OrderDatabase,
  inject: { root: ProjectRoot },
  create: ({ root }) => openSqliteOrderDatabase(join(root, ".loopwright", "orders.sqlite")),
  dispose: (database) => database.close(),
});
