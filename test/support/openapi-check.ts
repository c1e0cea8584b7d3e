import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

export interface AnswerToCheck {
  method: string;
  path: string;
  status: number;
  headers: Headers;
  body: unknown;
}

interface ResponseObject {
  headers: Record<string, { $ref: string }>;
  content?: Record<string, { schema: object }>;
  'x-error-codes'?: unknown[];
}

interface Operation {
  responses: Record<string, ResponseObject>;
}

interface HeaderObject {
  required: boolean;
  schema: object;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { headers: Record<string, HeaderObject>; schemas: Record<string, object> };
}

// The published document; docs/openapi-document.test.ts compares it with the contracts.
const published = new URL('../../docs/openapi.json', import.meta.url);
const open = JSON.parse(readFileSync(published, 'utf8')) as Document;
const componentSchemas = open.components.schemas;
const document = closed(open) as Document;
const ajv = new Ajv2020({ strict: false, allErrors: true, coerceTypes: false });
addFormats.default(ajv);
ajv.addSchema(document, 'document');
const compiled = new Map<string, ValidateFunction>();

/**
 * Forbids fields that the document does not list: clients must tolerate new ones, but we must document them. Schemas
 * are closed where they are used, because they may be part of others. Free-form values stay open.
 */
function closed(schema: unknown, place = ''): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map((part) => closed(part, place));
  const parts = Object.entries(schema)
    .filter(([name, part]) => !('properties' in schema && name === 'additionalProperties' && part === true))
    .map(([name, part]) => [name, closed(part, name)]);
  const isUse = place !== 'allOf' && !(place in componentSchemas);
  const isObject = 'properties' in schema || 'allOf' in schema || isSchemaReference(schema);
  return Object.fromEntries([...parts, ...(isUse && isObject ? [['unevaluatedProperties', false]] : [])]);
}

function isSchemaReference(schema: object): boolean {
  return '$ref' in schema && String(schema.$ref).startsWith('#/components/schemas/');
}

/** Fails when the document does not allow the answer: its status, its headers or its body. */
export function checkAgainstDocument(answer: AnswerToCheck): void {
  const where = `${answer.method} ${answer.path} → ${answer.status}`;
  const operation = findOperation(answer);
  if (!operation) return checkUnrouted(answer, where);
  const response = operation.responses[String(answer.status)];
  if (!response)
    throw new Error(`${where}: the document does not declare this status\n${JSON.stringify(answer.body)}`);
  checkHeaders(response, answer.headers, where);
  checkCode(response, answer, where);
  checkBody(response, answer, where);
}

function findOperation({ method, path }: AnswerToCheck): Operation | undefined {
  const templates = Object.keys(document.paths).sort((a, b) => a.split('{').length - b.split('{').length);
  const matches = templates.filter((template) =>
    new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  );
  // A literal path is never read as one with a parameter.
  return document.paths[matches[0] ?? '']?.[method.toLowerCase()];
}

/** Responses without an operation, 404 and 405, still have the error body and the request id. */
function checkUnrouted({ status, headers, body }: AnswerToCheck, where: string): void {
  if (status !== 404 && status !== 405) throw new Error(`${where}: no operation answers this`);
  if (!headers.has('x-request-id')) throw new Error(`${where}: no X-Request-Id`);
  if (status === 405 && !headers.has('allow')) throw new Error(`${where}: no Allow`);
  assertValid({ $ref: 'document#/components/schemas/Error', unevaluatedProperties: false }, body, where);
}

function checkHeaders({ headers }: ResponseObject, sent: Headers, where: string): void {
  for (const name of Object.keys(headers)) {
    const header = document.components.headers[name];
    if (!header) throw new Error(`${where}: header ${name} is not described`);
    const value = sent.get(name);
    if (value === null && header.required) throw new Error(`${where}: header ${name} is missing`);
    if (value !== null) assertValid(header.schema, readHeader(header, value), `${where} ${name}`);
  }
}

function checkCode({ 'x-error-codes': codes }: ResponseObject, { body }: AnswerToCheck, where: string): void {
  if (!codes || body === undefined) return;
  assertValid({ properties: { error: { enum: codes } } }, body, where);
}

function readHeader({ schema }: HeaderObject, value: string): unknown {
  return 'type' in schema && schema.type === 'integer' ? Number(value) : value;
}

function checkBody({ content }: ResponseObject, { headers, body }: AnswerToCheck, where: string): void {
  if (!content) {
    if (body !== undefined) throw new Error(`${where}: a body where none is declared`);
    return;
  }
  const mediaType = headers.get('content-type')?.split(';')[0] ?? '';
  const declared = content[mediaType] ?? content[mediaType.replace(/\/.*/, '/*')];
  if (!declared) throw new Error(`${where}: content type ${mediaType} is not declared`);
  assertValid(declared.schema, body, where);
}

function assertValid(schema: object, value: unknown, where: string): void {
  const key = JSON.stringify(schema);
  const validate =
    compiled.get(key) ?? ajv.compile(JSON.parse(key.replaceAll('"#/', '"document#/')) as object);
  compiled.set(key, validate);
  if (validate(value)) return;
  throw new Error(`${where}: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(value)?.slice(0, 2000)}`);
}
