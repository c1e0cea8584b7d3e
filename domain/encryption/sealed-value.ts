declare const SEALED: unique symbol;

/**
 * The value of an encrypted column: text that the clinic's key decrypts, or an empty value. It cannot be shown before
 * it is decrypted: db/encryption/field-seal.ts
 */
export interface Sealed<Value> {
  readonly [SEALED]: Value;
}

type OpenedValue<Value> = Value extends Sealed<infer Inner> ? Inner : Value;

/** A row with decrypted fields. */
export type Opened<Row> = { [Name in keyof Row]: OpenedValue<Row[Name]> };

/** An empty value, which needs no encryption. */
export function unsealed<Value extends '' | Record<string, never>>(empty: Value): Sealed<never> {
  return empty as unknown as Sealed<never>;
}
