import { expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { contracts } from '../../api/contracts.ts';
import { openApiDocument } from '../../api/openapi/document.ts';

interface Document {
  tags: { name: string; description?: string }[];
  components: { examples: Record<string, { value: object }> };
}

const text = JSON.stringify(openApiDocument(contracts));
const document = JSON.parse(text) as Document;
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(document, 'document');

test('every tag says what its operations are for', () => {
  expect(document.tags.filter(({ description }) => !description)).toEqual([]);
});

test('every error that a route may answer with has an example that fits', () => {
  const referred = [...text.matchAll(/#\/components\/examples\/(\w+)/g)].map(([, code]) => code);
  expect(new Set(referred)).toEqual(new Set(Object.keys(document.components.examples)));
  for (const [code, { value }] of Object.entries(document.components.examples)) {
    expect(value).toMatchObject({ error: code });
    const isValid = ajv.validate({ $ref: 'document#/components/schemas/Error' }, value);
    expect([code, isValid || ajv.errors]).toEqual([code, true]);
  }
});

test('a date or an id reads as one, not as the pattern behind it', () => {
  expect(text).not.toMatch(/"format":"(date-time|uuid)","pattern"/);
});
