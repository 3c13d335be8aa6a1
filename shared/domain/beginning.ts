declare const STANDS: unique symbol;

/**
 * How a request began whose claim stands (contract §4). Who runs it again, after a crash too, begins from the same, so
 * that all that is derived from it comes out the same, and a provider is asked for the same thing. Only a claim makes
 * one: see `store/claim.ts`.
 */
export interface Beginning {
  readonly [STANDS]: true;
  /** On the merchant's clock. */
  readonly atMs: number;
  /** Random, and known to the claim alone: what must not be guessed is derived from it. */
  readonly secret: string;
}

/** The id of a payment that is stored, or that a claim stands for: a provider is asked for no other one. */
export type PaymentId = string & { readonly [STANDS]: true };
