import type { z } from 'zod';

/** A row may have a date where the JSON has a text. */
type Presentable<Shown> = {
  [Name in keyof Shown]: Shown[Name] | (string extends Shown[Name] ? Date : never);
};

/** The fields of the schema, in its order, with dates as texts. Other columns are left out. */
export function presented<S extends z.ZodObject>(schema: S, row: Presentable<z.input<S>>): z.input<S> {
  const values: Record<string, unknown> = row;
  const shown: Record<string, unknown> = {};
  for (const name of Object.keys(schema.shape)) {
    const value = values[name];
    shown[name] = value instanceof Date ? value.toISOString() : value;
  }
  return shown as z.input<S>;
}

/** A presenter for rows with these fields. */
export function presenter<S extends z.ZodObject>(schema: S) {
  return (row: Presentable<z.input<S>>) => presented(schema, row);
}
