import { z } from 'zod';

export type JsonSchema = Record<string, unknown>;

/** Turns zod schemas into JSON Schema; those with an id become components, written once and referred to. */
export interface SchemaWriter {
  /** `input`: what may be sent; `output`: what is answered. */
  write(schema: z.ZodType, direction: 'input' | 'output'): JsonSchema;
  components(): Record<string, JsonSchema>;
}

export function createSchemaWriter(): SchemaWriter {
  const components = new Map<string, JsonSchema>();
  return {
    write(schema, direction) {
      // Inside an object, so that a schema with an id comes out as a reference too.
      const { properties, $defs = {} } = z.toJSONSchema(z.object({ root: schema }), {
        io: direction,
        override: ({ jsonSchema }) => dropRedundantPattern(jsonSchema),
      }) as unknown as { properties: { root: JsonSchema }; $defs?: Record<string, JsonSchema> };
      for (const [name, definition] of Object.entries($defs)) components.set(name, tidy(definition));
      return tidy(properties.root);
    },
    components: () => Object.fromEntries([...components].sort(([a], [b]) => a.localeCompare(b))),
  };
}

/** Where a format says it all, the pattern that zod adds to it only hides it from readers. */
function dropRedundantPattern(schema: JsonSchema): void {
  if (schema['format'] === 'date-time' || schema['format'] === 'uuid') delete schema['pattern'];
}

/** Points references at the components. */
function tidy(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as JsonSchema;
}
