import { expect, test } from '@jest/globals';
import { contracts } from '../../../api/resources.ts';
import { openApiDocument } from '../../../api/openapi/document.ts';
import type { OpenApiDocument } from '../../../docs-site/reference/openapi.ts';
import { createDocsSite } from '../../../docs-site/site.ts';
import { referenceOperations } from './site-samples.ts';

interface Collection {
  info: { name: string; schema: string };
  auth: { type: string; bearer: { key: string; value: string }[] };
  variable: { key: string; value: string }[];
  item: { name: string; item: { name: string; request: CollectedRequest }[] }[];
}

interface CollectedRequest {
  method: string;
  header: { key: string; value: string }[];
  url: { raw: string; host: string[]; path: string[]; query: { key: string; value: string }[] };
  body?: { mode: 'raw'; raw: string } | { mode: 'file'; file: { src: string } };
  auth?: { type: string };
}

const document = openApiDocument(contracts) as unknown as OpenApiDocument;
const site = createDocsSite({ document, publicUrl: 'http://api.test/', now: () => new Date() });
const collection = JSON.parse(String(site.find('/collection.json')?.plain)) as Collection;
const requests = collection.item.flatMap(({ item }) => item.map(({ request }) => request));

test('the collection asks for a key, and knows where the API is', () => {
  expect(collection.info.schema).toContain('/collection/v2.1.0/');
  expect(collection.variable).toEqual([
    { key: 'baseUrl', value: 'http://api.test' },
    { key: 'apiKey', value: '' },
  ]);
  expect(collection.auth.bearer).toMatchObject([{ key: 'token', value: '{{apiKey}}' }]);
});

test('each name of a request stands once in its folder', () => {
  for (const { name, item } of collection.item) {
    const names = item.map((request) => request.name);
    expect([name, names]).toEqual([name, [...new Set(names)]]);
  }
});

test('the collection sends every example of the reference, as its samples do', () => {
  const sent = requests.map(({ method, header, url, body, auth }) => ({
    method,
    target: url.raw.replace('{{baseUrl}}', ''),
    isKeyed: auth?.type !== 'noauth',
    takesIdempotencyKey: header.some(({ key }) => key === 'Idempotency-Key'),
    contentType: header.find(({ key }) => key === 'Content-Type')?.value,
    body: body?.mode === 'raw' ? (JSON.parse(body.raw) as unknown) : undefined,
    file: body?.mode === 'file' ? body.file.src : undefined,
  }));
  const byTag = document.tags.flatMap(({ name }) => referenceOperations().filter(({ tag }) => tag === name));
  const wanted = byTag.flatMap(({ examples }) =>
    examples.map(({ name: _name, answersJson: _answers, file, body, ...example }) => ({
      ...example,
      contentType: body === undefined ? file : 'application/json',
      body,
      file: file === undefined ? undefined : 'recording.wav',
    })),
  );
  expect(sent).toEqual(wanted);
});

test('the parts of each address make up the whole', () => {
  for (const { url } of requests) {
    const query = new URLSearchParams(
      url.query.map(({ key, value }): [string, string] => [key, value]),
    ).toString();
    const whole = `${url.host.join('')}/${url.path.join('/')}${query && `?${query}`}`;
    expect(decodeURIComponent(whole)).toBe(decodeURIComponent(url.raw));
  }
});
