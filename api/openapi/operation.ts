import { z } from 'zod';
import { answerHeaders, possibleErrors } from '../contract/possible-answers.ts';
import type { Contract, Contracts, RequestContract, ResponseContract } from '../contract/define-contracts.ts';
import type { ResponseHeader } from '../contract/response-headers.ts';
import type { JsonSchema, SchemaWriter } from './schema-writer.ts';
import { ERROR_STATUS, type ErrorCode } from '../../domain/error-codes.ts';

export function writeOperation(operationId: string, all: Contracts, writer: SchemaWriter): JsonSchema {
  const contract = all[operationId] as Contract;
  const { tag, summary, access, request } = contract;
  return {
    operationId,
    tags: [tag],
    summary,
    ...describe(contract),
    security: access === 'public' ? [] : [{ apiKey: [...access] }],
    parameters: writeParameters(request, writer),
    ...(request.body && { requestBody: writeBody(request.body, writer) }),
    ...(request.stream && { requestBody: { required: true, content: bytesOf(request.stream.mediaTypes) } }),
    responses: { ...errorResponses(contract), ...writeResponses(contract, all, writer) },
  };
}

function describe({ description, access }: Contract): { description?: string } {
  const isScoped = access !== 'public' && access.length > 0;
  const scopes = isScoped ? `Scopes: ${access.map((scope) => `\`${scope}\``).join(', ')}.` : null;
  const text = [description, scopes].filter(Boolean).join('\n\n');
  return text ? { description: text } : {};
}

function writeParameters({ path, query, headers }: RequestContract, writer: SchemaWriter): JsonSchema[] {
  return [
    ...parametersOf(path, 'path', writer),
    ...parametersOf(query, 'query', writer),
    ...parametersOf(headers, 'header', writer),
  ];
}

function parametersOf(schema: z.ZodObject | undefined, location: string, writer: SchemaWriter): JsonSchema[] {
  if (!schema) return [];
  const { properties, required = [] } = writer.write(schema, 'input') as {
    properties: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name: location === 'header' ? canonicalHeader(name) : name,
    in: location,
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema: rest,
  }));
}

function canonicalHeader(name: string): string {
  return name.replaceAll(/(^|-)([a-z])/g, (_, dash: string, letter: string) => dash + letter.toUpperCase());
}

function writeBody(
  { schema, examples, isOptional }: NonNullable<RequestContract['body']>,
  writer: SchemaWriter,
): JsonSchema {
  const named = Object.entries(examples).map(([name, value]) => [name, { value }]);
  return {
    required: isOptional !== true,
    content: {
      'application/json': { schema: writer.write(schema, 'input'), examples: Object.fromEntries(named) },
    },
  };
}

function writeResponses(contract: Contract, all: Contracts, writer: SchemaWriter) {
  return Object.fromEntries(
    Object.entries(contract.responses).map(([status, response]) => [
      status,
      {
        ...writeResponse(response, answerHeaders(contract, Number(status)), writer),
        ...writeLinks(contract, response.schema, all),
      },
    ]),
  );
}

function writeResponse(
  { description, schema, bytes, headers = [], example }: ResponseContract,
  common: readonly ResponseHeader[],
  writer: SchemaWriter,
) {
  return {
    description,
    headers: headerReferences([...common, ...headers]),
    ...(bytes !== undefined && { content: bytesOf(bytes) }),
    ...(schema && {
      content: {
        'application/json': {
          schema: writer.write(schema, 'output'),
          ...(example !== undefined && { example }),
        },
      },
    }),
  };
}

function bytesOf(mediaTypes: readonly string[]): JsonSchema {
  const content = { schema: { type: 'string', format: 'binary' } };
  return Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, content]));
}

/** Links from the id in a response to every operation on one resource of that collection. */
function writeLinks(contract: Contract, schema: z.ZodType | undefined, all: Contracts): JsonSchema {
  const expression = expressionOfId(schema);
  if (expression === null) return {};
  const next = Object.entries(all).filter(([, other]) => other !== contract && isOfOne(other, contract));
  const links = next.map(([operationId]) => [operationId, { operationId, parameters: { id: expression } }]);
  return links.length > 0 ? { links: Object.fromEntries(links) as JsonSchema } : {};
}

/** A runtime expression (OpenAPI 3.1, section 4.8.20.4); null when the response has no id. */
function expressionOfId(schema: z.ZodType | undefined): string | null {
  const { id, items } = fieldsOf(schema);
  if (id) return '$response.body#/id';
  const member = items instanceof z.ZodArray ? items.element : undefined;
  return fieldsOf(member)['id'] ? '$response.body#/items/0/id' : null;
}

/** The fields of an object or an `allOf`. */
function fieldsOf(schema: unknown): Record<string, unknown> {
  if (schema instanceof z.ZodObject) return schema.shape;
  if (!(schema instanceof z.ZodIntersection)) return {};
  return { ...fieldsOf(schema.def.left), ...fieldsOf(schema.def.right) };
}

/**
 * Whether an operation on a single resource should be linked from this one. Only operations that create or list
 * resources have links.
 */
function isOfOne({ path }: Contract, { path: from, method }: Contract): boolean {
  if (method === 'PUT') return path.startsWith(`${from}/`) || path === from;
  const isOfCollection = method === 'POST' || method === 'GET';
  return isOfCollection && path.startsWith(`${from}/{id}`);
}

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  400: 'The request cannot be read.',
  401: 'The API key is missing, invalid, expired or revoked.',
  403: 'The API key does not have a required scope.',
  404: 'The resource does not exist in this clinic.',
  409: 'The request conflicts with the current state.',
  410: 'The hold that the request uses has expired.',
  412: 'The resource has changed since you read it.',
  413: 'The request body is too large.',
  422: 'The request is readable, but a field is invalid or a rule is violated.',
  429: 'The rate limit is exceeded.',
  500: 'Something went wrong on our side.',
  503: 'The service is unavailable.',
};

const HEADERS: Readonly<Record<number, readonly ResponseHeader[]>> = {
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** The error responses of a route, by status. */
function errorResponses(contract: Contract): Record<string, JsonSchema> {
  const codes = possibleErrors(contract);
  const byStatus = Map.groupBy(codes, (code) => ERROR_STATUS[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [status, errorResponse(contract, status, group)]),
  );
}

function errorResponse(contract: Contract, status: number, codes: readonly ErrorCode[]): JsonSchema {
  return {
    description: `${DESCRIPTIONS[status]} Possible codes: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
    headers: headerReferences([...answerHeaders(contract, status), ...(HEADERS[status] ?? [])]),
    // Next to the schema: inside it, code generators would create a type for every response of every operation.
    'x-error-codes': codes,
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: errorExampleReferences(codes, contract.errors ?? []),
      },
    },
  };
}

function headerReferences(names: readonly ResponseHeader[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/**
 * The examples of a response. The route's own codes come first, because documentation viewers show the first example.
 */
function errorExampleReferences(codes: readonly ErrorCode[], ownCodes: readonly ErrorCode[]) {
  const ownFirst = [
    ...codes.filter((code) => ownCodes.includes(code)),
    ...codes.filter((code) => !ownCodes.includes(code)),
  ];
  return Object.fromEntries(ownFirst.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
}
