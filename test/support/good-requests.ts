import type { Contract } from '../../api/contract/define-contracts.ts';
import { createSchemaWriter } from '../../api/openapi/schema-writer.ts';
import type { ApiRequest } from './api-client.ts';
import type { TestClinic } from './clinic.ts';
import type { FieldSchema } from './wrong-values.ts';

export function inputSchema(
  schema: Parameters<ReturnType<typeof createSchemaWriter>['write']>[0],
): FieldSchema {
  return createSchemaWriter().write(schema, 'input');
}

/** The contract's examples, with ids of the clinic. */
export function goodBodyFor({ request }: Contract, clinic: TestClinic): Record<string, unknown> {
  const example = Object.values(request.body?.examples ?? {}).at(-1) as Record<string, unknown>;
  const own = { professionalId: clinic.professionalIds[0], serviceTypeId: clinic.serviceTypeId };
  const replaced = Object.entries(own).filter(([name]) => name in example);
  return structuredClone({ ...example, ...Object.fromEntries(replaced) });
}

/** The required query parameters, with times in order. */
function goodQuery({ request }: Contract, clinic: TestClinic): Record<string, string> {
  const { properties = {}, required = [] } = request.query ? inputSchema(request.query) : {};
  const values = required.map((name, index): [string, string] => [
    name,
    properties[name]?.format === 'date-time' ? `2031-01-0${index + 1}T00:00:00Z` : clinic.serviceTypeId,
  ]);
  return Object.fromEntries(values);
}

/** A valid request for a route, without its path. */
export function goodRequestFor(contract: Contract, clinic: TestClinic): ApiRequest {
  const { body, stream } = contract.request;
  const query = goodQuery(contract, clinic);
  if (stream)
    return {
      query,
      rawBody: 'bytes',
      headers: { 'content-type': stream.mediaTypes[0]?.replace('*', 'x') ?? '' },
    };
  return body ? { query, body: goodBodyFor(contract, clinic) } : { query };
}

export function pathTo({ path }: Contract, id: string): string {
  return path.replace(/\{\w+\}/, () => encodeURIComponent(id));
}

/** Where a schema has a field of which `matches` is true; `0` is any item of a list. */
export function fieldsWhere(
  schema: FieldSchema,
  matches: (field: FieldSchema) => boolean,
  path: readonly string[] = [],
): string[][] {
  const { properties = {}, items, anyOf = [] } = schema;
  const below = [
    ...Object.entries(properties).map(([name, field]) => [field, [...path, name]] as const),
    ...(items ? [[items, [...path, '0']] as const] : []),
    ...anyOf.map((variant) => [variant, path] as const),
  ];
  const found = below.flatMap(([field, place]) => fieldsWhere(field, matches, place));
  return matches(schema) ? [[...path], ...found] : found;
}

/** The body with another value in one place, which is made if it is not there. */
export function withValue(body: unknown, path: readonly string[], value: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  if (name !== '0') {
    const object = Object(body) as Record<string, unknown>;
    return { ...object, [name]: withValue(object[name], rest, value) };
  }
  const [first, ...others] = Array.isArray(body) ? (body as unknown[]) : [];
  return [withValue(first, rest, value), ...others];
}
