import { z } from 'zod';

export type JsonSchema = Record<string, unknown>;

export type SchemaWriter = ReturnType<typeof createSchemaWriter>;

/** Turns zod schemas into JSON Schema; those with an id become components, written once and referred to. */
export function createSchemaWriter() {
  const components = new Map<string, JsonSchema>();
  return {
    /** `input`: what may be sent; `output`: what is answered. */
    write(schema: z.ZodType, direction: 'input' | 'output'): JsonSchema {
      // Inside an object, so that a schema with an id comes out as a reference too.
      const { properties, $defs = {} } = z.toJSONSchema(z.object({ root: schema }), {
        io: direction,
        override: ({ jsonSchema }) => {
          simplify(jsonSchema);
          if (direction === 'output') letGrow(jsonSchema);
        },
      }) as unknown as { properties: { root: JsonSchema }; $defs?: Record<string, JsonSchema> };
      for (const [name, definition] of Object.entries($defs)) components.set(name, tidy(definition));
      return tidy(properties.root);
    },
    components: () => Object.fromEntries([...components].sort(([a], [b]) => a.localeCompare(b))),
  };
}

/** Leaves out what zod adds and readers, people and code generators alike, only stumble over. */
function simplify(schema: JsonSchema): void {
  const { type, format, prefixItems } = schema;
  // The format, or being a number, says it all.
  if (format === 'date-time' || format === 'uuid' || type === 'integer') delete schema['pattern'];
  // Every name is a string.
  delete schema['propertyNames'];
  if (schema['isOpen']) openEnum(schema);
  describeOnce(schema);
  if (Array.isArray(prefixItems)) listEqualItems(schema, prefixItems);
}

/** What is said of a value or null is said of both. */
function describeOnce(schema: JsonSchema): void {
  const [value, none, ...others] = (schema['anyOf'] ?? []) as JsonSchema[];
  if (!value || none?.['type'] !== 'null' || others.length > 0) return;
  for (const key of ['description', 'default'].filter((each) => each in value)) {
    schema[key] ??= value[key];
    delete value[key];
  }
}

/** Answers and events may gain fields within v1. Said in words, because generators take silence for a no. */
function letGrow(schema: JsonSchema): void {
  if (schema['additionalProperties'] === false) delete schema['additionalProperties'];
  if (schema['properties'] ?? schema['allOf']) schema['additionalProperties'] ??= true;
}

/** A set of codes that may grow: the known ones, by which a program decides, or any other. */
function openEnum(schema: JsonSchema): void {
  const { enum: known } = schema;
  for (const key of ['isOpen', 'type', 'enum']) delete schema[key];
  schema['anyOf'] = [{ type: 'string', enum: known }, { type: 'string' }];
}

/** A tuple of equals is a list of fixed length. */
function listEqualItems(schema: JsonSchema, members: unknown[]): void {
  const [first] = members;
  if (members.some((member) => JSON.stringify(member) !== JSON.stringify(first))) return;
  delete schema['prefixItems'];
  Object.assign(schema, { items: first, minItems: members.length, maxItems: members.length });
}

/** Points references at the components. */
function tidy(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as JsonSchema;
}
