import { expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { contracts } from '../../api/resources.ts';
import { openApiDocument } from '../../api/openapi/document.ts';
import { EVENT_TYPES, TEST_EVENT_TYPE } from '../../domain/webhooks/event-types.ts';
import { deliveryHeaders } from '../../domain/webhooks/webhook-headers.ts';

interface Webhook {
  post: {
    operationId: string;
    parameters: { $ref: string }[];
    requestBody: { content: { 'application/json': { schema: { $ref: string }; example: object } } };
  };
}

interface Document {
  webhooks: Record<string, Webhook>;
  components: {
    parameters: Record<string, { name: string; schema: object; example: unknown }>;
    schemas: Record<string, { discriminator?: { propertyName: string; mapping: Record<string, string> } }>;
  };
}

const text = JSON.stringify(openApiDocument(contracts));
const document = JSON.parse(text) as Document;
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(document, 'document');

test('the document lists every event type, with an operation of its own', () => {
  expect(Object.keys(document.webhooks)).toEqual([...EVENT_TYPES, TEST_EVENT_TYPE, 'event']);
  const ids = Object.values(document.webhooks).map(({ post }) => post.operationId);
  expect(new Set(ids).size).toBe(ids.length);
});

const { event: anyEvent, ...ofEachType } = document.webhooks;

test.each(Object.entries(ofEachType))('the example of %s fits its schema', (type, { post }) => {
  const { schema, example } = post.requestBody.content['application/json'];
  expect(ajv.validate({ $ref: `document${schema.$ref}` }, example) || ajv.errors).toBe(true);
  expect(example).toMatchObject({ type });
  const otherType = { ...example, type: 'appointment.unheard_of' };
  expect(ajv.validate({ $ref: `document${schema.$ref}` }, otherType)).toBe(false);
  expect(ajv.validate({ $ref: `document${schema.$ref}` }, { ...example, data: {} })).toBe(false);
  const withNewField = { ...example, laterField: 1 };
  expect(ajv.validate({ $ref: `document${schema.$ref}` }, withNewField)).toBe(true);
});

test.each(Object.entries(ofEachType))('what takes any event tells %s by its type', (type, { post }) => {
  const { schema, example } = post.requestBody.content['application/json'];
  const union = anyEvent?.post.requestBody.content['application/json'].schema.$ref ?? '';
  const discriminator = document.components.schemas['ReceivedEvent']?.discriminator;
  expect(discriminator).toMatchObject({ propertyName: 'type', mapping: { [type]: schema.$ref } });
  expect(Object.keys(discriminator?.mapping ?? {})).toEqual(Object.keys(ofEachType));
  expect(ajv.validate({ $ref: `document${union}` }, example) || ajv.errors).toBe(true);
});

test('every header of a delivery is described, and described truly', () => {
  const described = Object.values(document.components.parameters);
  const sent = deliveryHeaders({
    secrets: ['whsec_YWJj', 'whsec_ZGVm'],
    signedAt: new Date(),
    body: '{}',
    eventId: `evt_${'0'.repeat(32)}`,
    eventType: 'appointment.created',
    deliveryId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a60',
    attempt: 2,
  });
  const { 'User-Agent': _agent, Accept: _accept, 'Content-Type': _type, ...ours } = sent;
  expect(described.map(({ name }) => name).toSorted()).toEqual(Object.keys(ours).toSorted());
  for (const { name, schema, example } of described) {
    const value = name === 'X-Service-Attempt' ? Number(ours[name]) : ours[name];
    expect([name, ajv.validate(schema, value)]).toEqual([name, true]);
    expect([name, ajv.validate(schema, example)]).toEqual([name, true]);
  }
});
