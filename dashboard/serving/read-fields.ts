import type { z } from 'zod';

/** The parsed fields of a form, or the names of the invalid ones. */
export type ReadFields<T> = { fields: T; wrong: null } | { fields: null; wrong: ReadonlySet<string> };

/** Parses the fields of a form; repeated fields become lists, unknown ones are ignored. */
export function readFields<S extends z.ZodType>(schema: S, form: URLSearchParams): ReadFields<z.output<S>> {
  const given: Record<string, string | string[]> = {};
  for (const name of new Set(form.keys())) {
    const values = form.getAll(name);
    given[name] = values.length === 1 ? (values[0] ?? '') : values;
  }
  const read = schema.safeParse(given);
  if (read.success) return { fields: read.data, wrong: null };
  return { fields: null, wrong: new Set(read.error.issues.map(({ path }) => String(path[0]))) };
}
