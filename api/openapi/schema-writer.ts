import { z } from 'zod';

export type JsonSchema = Record<string, unknown>;

export type SchemaWriter = ReturnType<typeof createSchemaWriter>;

/** Turns zod schemas into JSON Schema; schemas with an id become components and are referenced. */
export function createSchemaWriter() {
  const components = new Map<string, JsonSchema>();
  return {
    /** `input`: for requests; `output`: for responses. */
    write(schema: z.ZodType, direction: 'input' | 'output'): JsonSchema {
      // Wrapped in an object, so that a schema with an id becomes a reference too.
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

/** Removes what zod adds and no reader or code generator needs. */
function simplify(schema: JsonSchema): void {
  const { type, format, prefixItems } = schema;
  // The format or type is enough.
  if (format === 'date-time' || format === 'uuid' || type === 'integer') delete schema['pattern'];
  // Every name is a string.
  delete schema['propertyNames'];
  if (schema['isOpen']) openEnum(schema);
  describeOnce(schema);
  if (Array.isArray(prefixItems)) listEqualItems(schema, prefixItems);
}

/** Moves the description of a nullable value to the field. */
function describeOnce(schema: JsonSchema): void {
  const [value, none, ...others] = (schema['anyOf'] ?? []) as JsonSchema[];
  if (!value || none?.['type'] !== 'null' || others.length > 0) return;
  for (const key of ['description', 'default'].filter((each) => each in value)) {
    schema[key] ??= value[key];
    delete value[key];
  }
}

/**
 * Marks objects as open for new fields, because responses and events can gain fields within v1 and code generators
 * assume the opposite.
 */
function letGrow(schema: JsonSchema): void {
  if (schema['additionalProperties'] === false) delete schema['additionalProperties'];
  if (schema['properties'] ?? schema['allOf']) schema['additionalProperties'] ??= true;
}

/** Describes an extensible set of codes: the known codes, or any other string. */
function openEnum(schema: JsonSchema): void {
  const { enum: known } = schema;
  for (const key of ['isOpen', 'type', 'enum']) delete schema[key];
  schema['anyOf'] = [{ type: 'string', enum: known }, { type: 'string' }];
}

/** Writes a tuple of equal items as a list of fixed length. */
function listEqualItems(schema: JsonSchema, members: unknown[]): void {
  const [first] = members;
  if (members.some((member) => JSON.stringify(member) !== JSON.stringify(first))) return;
  delete schema['prefixItems'];
  Object.assign(schema, { items: first, minItems: members.length, maxItems: members.length });
}

/** Makes references point to the document's components. */
function tidy(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as JsonSchema;
}
