import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { findBreakingChanges, findDocumentProblems } from '../../dev/release/openapi-changes.ts';
import { ROOT } from '../docs/pages.ts';

const DOCUMENT = join(ROOT, 'docs/openapi.json');
const text = readFileSync(DOCUMENT, 'utf8');

interface Schema {
  properties: Record<string, object>;
  required: string[];
}
interface Document {
  paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: Schema }> } }>>;
  components: { schemas: Record<'Appointment' | 'EventAppointment', Schema> };
}

/** The body of a booking. */
function bookingBody({ paths }: Document): Schema {
  const schema = paths['/v1/appointments']?.['post']?.requestBody?.content['application/json']?.schema;
  if (!schema) throw new Error('a booking has no body');
  return schema;
}

/** The breaking changes of a later document. */
function after(change: (document: Document) => void): Promise<string[]> {
  const document = JSON.parse(text) as Document;
  change(document);
  return findBreakingChanges(text, JSON.stringify(document));
}

test('the document is valid, and breaks nothing of itself', async () => {
  expect(await findDocumentProblems(DOCUMENT)).toEqual([]);
  expect(await after(() => undefined)).toEqual([]);
});

test('a removed operation, a removed field, a new required field and a removed field of an event break clients', async () => {
  const breaking = await after((document) => {
    const {
      paths,
      components: { schemas },
    } = document;
    delete paths['/v1/slot-holds']?.['post'];
    delete schemas.Appointment.properties['patientName'];
    schemas.Appointment.required = schemas.Appointment.required.filter((name) => name !== 'patientName');
    bookingBody(document).properties['room'] = { type: 'string' };
    bookingBody(document).required.push('room');
    delete schemas.EventAppointment.properties['status'];
    schemas.EventAppointment.required = schemas.EventAppointment.required.filter((name) => name !== 'status');
  });
  const all = breaking.join('\n');
  expect(all).toMatch(/POST \/v1\/slot-holds: .*removed/);
  expect(all).toMatch(/GET \/v1\/appointments\/\{id\}: .*`patientName`/);
  expect(all).toMatch(/POST \/v1\/appointments: .*`room`/);
  expect(all).toMatch(/\/events\/\S+: .*status`/);
});

test('what the promise of v1 allows breaks nothing: fields and operations more, and values of open sets', async () => {
  const allowed = await after((document) => {
    const { paths, components } = document;
    components.schemas.Appointment.properties['room'] = { type: 'string' };
    components.schemas.Appointment.required.push('room');
    bookingBody(document).properties['room'] = { type: 'string' };
    components.schemas.EventAppointment.properties['room'] = { type: 'string' };
    components.schemas.EventAppointment.required.push('room');
    Object.assign(paths, { '/v1/rooms': { get: { responses: { 200: { description: 'The rooms' } } } } });
    const withCode = JSON.stringify(document).replace(
      /(?<=[[,])"slot_conflict"(?=[,\]])/g,
      '"slot_conflict","room_taken"',
    );
    Object.assign(document, JSON.parse(withCode));
  });
  expect(allowed).toEqual([]);
});
