import { z } from 'zod';

/**
 * Treats null for an optional field as absent, unless null has its own meaning. Also in list items: docs/errors.md#null
 */
export function nullAsAbsent<S extends z.ZodObject>(schema: S): S {
  const shape = Object.entries(schema.shape).map(([name, field]) => [name, mayBeNull(withinList(field))]);
  const lenient = schema.safeExtend(Object.fromEntries(shape) as Record<string, never>);
  return lenient.meta({ ...schema.meta() }) as unknown as S;
}

/** Accepts null for the field and gives it the same default as an absent field. */
function mayBeNull(field: z.ZodType): z.ZodType {
  const absent = field.safeParse(undefined);
  if (!absent.success || field.safeParse(null).success) return field;
  const lenient = z.nullable(field).transform((value) => (value === null ? absent.data : value));
  const description = descriptionOf(field);
  return description === undefined ? lenient : lenient.describe(description);
}

function descriptionOf(field: z.core.$ZodType): string | undefined {
  const { description } = z.globalRegistry.get(field) ?? {};
  if (description !== undefined) return description;
  if (field instanceof z.ZodOptional || field instanceof z.ZodDefault) return descriptionOf(field.unwrap());
  return field instanceof z.ZodPipe ? descriptionOf(field.in) : undefined;
}

function withinList(field: z.ZodType): z.ZodType {
  if (!(field instanceof z.ZodArray) || !(field.element instanceof z.ZodObject)) return field;
  return z.core.clone(field, { ...field.def, element: nullAsAbsent(field.element) }, { parent: true });
}
