/** Where an order goes. */
export interface Address {
  readonly street: string;
  readonly postalCode: string;
  readonly city: string;
  /** ISO 3166-1 alpha-2, such as `GB`. */
  readonly country: string;
}

/** How far an order has come. */
export type OrderStatus = "paid" | "packed" | "shipped" | "delivered" | "cancelled";

/** One line of an order. */
export interface OrderItem {
  readonly name: string;
  readonly quantity: number;
}

/** An order of a customer; dates are `YYYY-MM-DD`, null where the thing has not happened or is not known. */
export interface Order {
  readonly id: string;
  readonly customer: string;
  readonly status: OrderStatus;
  readonly items: readonly OrderItem[];
  readonly totalCents: number;
  readonly currency: string;
  readonly paidOn: string;
  readonly shippedOn: string | null;
  readonly deliveredOn: string | null;
  /** The delivery date that the carrier promised. */
  readonly promisedOn: string | null;
  readonly carrier: string | null;
  readonly tracking: string | null;
  readonly address: Address;
}

/** Money that goes back for an order. */
export interface Refund {
  readonly orderId: string;
  readonly amountCents: number;
  readonly reason: string;
}
