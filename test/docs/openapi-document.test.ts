import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { contracts } from '../../api/resources.ts';
import { openApiDocument } from '../../api/openapi/document.ts';

interface Described {
  $ref?: string;
  description?: string;
}

interface Operation {
  parameters?: (Described & { name: string })[];
}

interface Document {
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { examples: Record<string, { value: object }>; schemas: Record<string, Described> };
}

const text = JSON.stringify(openApiDocument(contracts));
const document = JSON.parse(text) as Document;
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(document, 'document');

test('the committed copy is the document that the contracts make: run `npm run openapi`', async () => {
  const committed = await readFile(new URL('../../docs/openapi.json', import.meta.url), 'utf8');
  const isStale = committed.trim() !== JSON.stringify(document, null, 2);
  expect(isStale).toBe(false);
});

test('every reference leads somewhere', () => {
  const references = text.matchAll(/"\$ref":"#\/([^"]+)"/g);
  for (const [, path = ''] of references) {
    const target = path
      .split('/')
      .reduce<unknown>((place, name) => (place as Record<string, unknown> | undefined)?.[name], document);
    expect([path, target]).toEqual([path, expect.any(Object)]);
  }
});

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

/** Every schema of the document, however deep, with its parts. */
function* schemasIn(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Record<string, unknown>;
  for (const part of Object.values(value)) yield* schemasIn(part);
}

/** A named set or shape says by itself what it is. */
function saysWhatItIs({ $ref = '', description }: Described): boolean {
  const named = document.components.schemas[$ref.replace('#/components/schemas/', '')];
  return Boolean(description ?? named?.description);
}

test('every field of every request, answer and event says what it is', () => {
  const fields = [...schemasIn(document)].flatMap(({ properties }) =>
    Object.entries((properties ?? {}) as Record<string, Described>),
  );
  expect(fields.length).toBeGreaterThan(250);
  expect(fields.filter(([, field]) => !saysWhatItIs(field))).toEqual([]);
});

test('every parameter and every named schema says what it is', () => {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  const parameters = operations.flatMap(({ parameters: own = [] }) => own);
  expect(parameters.filter(({ description }) => !description)).toEqual([]);
  const schemas = Object.entries(document.components.schemas);
  expect(schemas.filter(([, { description }]) => !description)).toEqual([]);
});

test('what one schema has in common with another it takes from it', () => {
  const repeated = Object.entries(document.components.schemas).filter(([, schema]) => {
    const names = Object.keys((schema as { properties?: object }).properties ?? {});
    return names.includes('patientName') || names.includes('endpointUrl');
  });
  expect(repeated.map(([name]) => name)).toEqual([
    'Appointment',
    // Has only some fields of an appointment.
    'BriefedAppointment',
    'EventAppointment',
    'WebhookDeliveryFacts',
  ]);
});

test('each set of codes stands once, by name, so that generators make one type of it', () => {
  const { schemas } = openApiDocument(contracts)['components'] as { schemas: object };
  const sets = [...schemasIn({ schemas, paths: openApiDocument(contracts)['paths'] })]
    .map(({ enum: codes }) => (Array.isArray(codes) ? codes.join() : null))
    .filter((codes) => codes !== null);
  expect(sets).toEqual([...new Set(sets)]);
});

test('answers may gain fields, and sets that may grow take any code', () => {
  const { schemas } = openApiDocument(contracts)['components'] as {
    schemas: Record<string, Record<string, unknown>>;
  };
  // Generators take it for a no when nothing is said.
  const answers = [...schemasIn(schemas)].filter(({ properties, allOf }) => properties ?? allOf);
  expect(answers.length).toBeGreaterThan(80);
  expect(answers.filter(({ additionalProperties }) => (additionalProperties ?? false) === false)).toEqual([]);
  expect(schemas['ErrorCode']).toMatchObject({ anyOf: [{ enum: expect.any(Array) }, { type: 'string' }] });
  expect(schemas['TenantConfig']).toMatchObject({
    properties: { voice: {}, timezone: {}, businessHours: {} },
  });
});
