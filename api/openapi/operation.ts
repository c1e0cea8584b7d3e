import type { z } from 'zod';
import { answerHeaders } from '../contract/possible-answers.ts';
import type { Contract, Contracts, RequestContract, ResponseContract } from '../contract/define-contracts.ts';
import { errorResponses, headerReferences } from './error-responses.ts';
import type { ResponseHeader } from '../contract/response-headers.ts';
import { writeLinks } from './links.ts';
import type { JsonSchema, SchemaWriter } from './schema-writer.ts';

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
    responses: {
      ...errorResponses(contract),
      ...writeResponses(contract, all, writer),
    },
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
