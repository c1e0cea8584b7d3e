import type { OpenApiParameter, Schema } from './openapi.ts';

/** A documented field or parameter. */
export interface Field {
  name: string;
  /** The type, such as `string`, `date-time or null` or `array of objects`. */
  type: string;
  isRequired: boolean;
  description: string;
  /** Further constraints, each as a phrase. */
  constraints: string[];
  /** The fields within the field. */
  fields: Field[];
}

type Schemas = Readonly<Record<string, Schema>>;

const MIN_LIST_TO_NAME = 2;

export function parameterField(
  { name, required, description, schema }: OpenApiParameter,
  all: Schemas,
): Field {
  const field = toField(name, schema, required, all);
  return { ...field, description: description ?? field.description };
}

/** The fields of an object or of an array's items, required ones first. */
export function fieldsOf(schema: Schema, all: Schemas): Field[] {
  const { properties = {}, required = [] } = objectIn(schema, all);
  const fields = Object.entries(properties).map(([name, value]) =>
    toField(name, value, required.includes(name), all),
  );
  return [
    ...fields.filter(({ isRequired }) => isRequired),
    ...fields.filter(({ isRequired }) => !isRequired),
  ];
}

function toField(name: string, schema: Schema, isRequired: boolean, all: Schemas): Field {
  const { description = '' } = { ...resolve(schema, all), ...schema };
  const { value, isNullable } = withoutNull(schema, all);
  return {
    name,
    type: `${typeName(value, all)}${isNullable ? ' or null' : ''}`,
    isRequired,
    description,
    constraints: constraintsOf(value, description, all),
    fields: fieldsOf(value, all),
  };
}

function resolve(schema: Schema, all: Schemas): Schema {
  const name = schema.$ref?.replace('#/components/schemas/', '');
  return name === undefined ? schema : (all[name] ?? {});
}

/** The type without null, for a nullable type. */
function withoutNull(schema: Schema, all: Schemas): { value: Schema; isNullable: boolean } {
  const resolved = resolve(schema, all);
  if (Array.isArray(resolved.type)) {
    const [type] = (resolved.type as string[]).filter((name) => name !== 'null');
    return { value: { ...resolved, type: type ?? 'null' }, isNullable: true };
  }
  const members = resolved.anyOf ?? [];
  const others = members.filter(({ type }) => type !== 'null');
  const [only] = others;
  const isNullable = others.length < members.length;
  return only && isNullable && others.length === 1
    ? { value: resolve(only, all), isNullable }
    : { value: resolved, isNullable };
}

/** The object with the fields: the schema itself, an `allOf`, or an array's items. */
function objectIn(schema: Schema, all: Schemas): Pick<Schema, 'properties' | 'required'> {
  const { properties, required = [], allOf, items } = resolve(schema, all);
  if (items) return objectIn(items, all);
  if (!allOf) return { ...(properties && { properties }), required };
  const parts = allOf.map((part) => objectIn(part, all));
  return {
    properties: Object.assign({}, ...parts.map((part) => part.properties ?? {})) as Record<string, Schema>,
    required: parts.flatMap((part) => part.required ?? []),
  };
}

const FORMATS: Readonly<Record<string, string>> = { uuid: 'UUID', uri: 'URL', email: 'e-mail address' };

function typeName(schema: Schema, all: Schemas): string {
  const { type, format, items, anyOf, allOf, enum: values, properties } = schema;
  if (items) return `array of ${typeName(withoutNull(items, all).value, all)}s`;
  if (values ?? anyOf?.some((member) => member.enum)) return 'string';
  if (format) return FORMATS[format] ?? format;
  if (allOf ?? properties) return 'object';
  return type?.toString() ?? (schema.const === undefined ? 'any value' : typeof schema.const);
}

function constraintsOf(schema: Schema, description: string, all: Schemas): string[] {
  const phrases = [
    chosenFrom(schema) ?? chosenFrom(resolve(schema.items ?? {}, all)),
    rangeOf(schema.minLength, schema.maxLength, 'characters'),
    rangeOf(schema.minimum, schema.maximum, ''),
    rangeOf(schema.minItems, schema.maxItems, 'items'),
    schema.default === undefined ? null : `by default \`${schema.default}\``,
    patternOf(schema),
  ];
  return phrases.filter((phrase) => phrase !== null && !saysAlready(description, phrase)).map(String);
}

function chosenFrom({ enum: values, const: only, anyOf = [] }: Schema): string | null {
  if (only !== undefined) return `always \`${only}\``;
  if (values) return `one of ${listed(values)}`;
  const open = anyOf.find((member) => member.enum)?.enum;
  return open ? `${listed(open)}; values can be added` : null;
}

function listed(values: readonly string[]): string {
  return values.map((value) => `\`${value}\``).join(', ');
}

function rangeOf(from: number | undefined, to: number | undefined, unit: string): string | null {
  const known = [from, to].map((bound) =>
    bound !== undefined && Number.isSafeInteger(bound * 10) ? bound : null,
  );
  const [least = null, most = null] = known.map((bound) => (Math.abs(bound ?? 0) >= 1e12 ? null : bound));
  if (least === null && most === null) return null;
  const words =
    least === null ? `at most ${most}` : most === null ? `at least ${least}` : `${least} to ${most}`;
  return `${words} ${unit}`.trim();
}

/** The pattern to show; null if there is a format, or if it only forbids blanks, because that does not help readers. */
function patternOf({ pattern, format }: Schema): string | null {
  return pattern === undefined || format !== undefined || pattern === '\\S' ? null : `matches \`${pattern}\``;
}

/** Whether the description contains all numbers and codes of the phrase. */
function saysAlready(description: string, phrase: string): boolean {
  if (phrase.startsWith('matches')) return description.includes('E.164');
  const facts = phrase.match(/`[^`]+`|\d[\d.]*/g) ?? [];
  return (
    facts.length >= MIN_LIST_TO_NAME - 1 &&
    facts.every((fact) => description.includes(fact.replaceAll('`', '')))
  );
}
