import type { OpenApiDocument } from './openapi.ts';
import type { Operation, RequestExample } from './operation.ts';
import { prettyJson, SAMPLE_FILE } from './samples/sample-request.ts';

const FORMAT = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

/** Every example as a Postman collection (v2.1): a folder for each tag, with address and key as variables. */
export function collectionOf(
  { info, tags }: OpenApiDocument,
  operations: readonly Operation[],
  baseUrl: string,
): object {
  const byTag = Map.groupBy(operations, ({ tag }) => tag);
  const folders = tags.filter(({ name }) => byTag.has(name));
  return {
    info: { name: info.title, description: info.description, schema: FORMAT },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{apiKey}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: baseUrl },
      { key: 'apiKey', value: '' },
    ],
    item: folders.map(({ name, description = '' }) => ({
      name,
      description,
      item: (byTag.get(name) ?? []).flatMap(requestsOf),
    })),
  };
}

function requestsOf({ summary, description, examples }: Operation): object[] {
  return examples.map((example) => ({
    name: example.name === '' ? summary : `${summary}: ${inWords(example.name)}`,
    request: {
      method: example.method,
      header: headersOf(example),
      url: urlOf(example.target),
      description,
      ...bodyOf(example),
      ...(!example.isKeyed && { auth: { type: 'noauth' } }),
    },
    response: [],
  }));
}

/** `checkIn` becomes “check in”. */
function inWords(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function headersOf({ takesIdempotencyKey, body, file }: RequestExample): object[] {
  const mediaType = body === undefined ? file : 'application/json';
  return [
    ...(mediaType === undefined ? [] : [{ key: 'Content-Type', value: mediaType }]),
    // A new key for each request.
    ...(takesIdempotencyKey ? [{ key: 'Idempotency-Key', value: '{{$guid}}' }] : []),
  ];
}

function urlOf(target: string): object {
  const { pathname, searchParams } = new URL(target, 'http://api');
  return {
    raw: `{{baseUrl}}${target}`,
    host: ['{{baseUrl}}'],
    path: pathname.split('/').slice(1),
    query: [...searchParams].map(([key, value]) => ({ key, value })),
  };
}

function bodyOf({ body, file }: RequestExample): object {
  if (file !== undefined) return { body: { mode: 'file', file: { src: SAMPLE_FILE } } };
  if (body === undefined) return {};
  const options = { raw: { language: 'json' } };
  return { body: { mode: 'raw', raw: prettyJson(body), options } };
}
