declare const SEALED: unique symbol;

/**
 * What stands in a column that is sealed: a text that the clinic's key opens, or what says nothing. It can be shown to no one before
 * it is opened: db/encryption/field-seal.ts
 */
export interface Sealed<Value> {
  readonly [SEALED]: Value;
}

type OpenedValue<Value> = Value extends Sealed<infer Inner> ? Inner : Value;

/** A row with its sealed fields opened. */
export type Opened<Row> = { [Name in keyof Row]: OpenedValue<Row[Name]> };

/** What needs no seal, because it says nothing. */
export function unsealed<Value extends '' | Record<string, never>>(empty: Value): Sealed<never> {
  return empty as unknown as Sealed<never>;
}
