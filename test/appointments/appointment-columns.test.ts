import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { appointmentContracts, appointmentSchema } from '../../api/appointments/contract.ts';
import { importItem } from '../../api/appointments/import.contract.ts';
import { AppointmentEntity } from '../../db/entities/appointment.entity.ts';
import { ERASED_APPOINTMENT } from '../../db/patients/erased-appointment.ts';
import {
  EDITABLE_FIELDS,
  saidName,
  type SaidField,
} from '../../domain/appointments/appointment-fields.schema.ts';
import { eventAppointment } from '../../domain/webhooks/events/appointment-events.schema.ts';
import { expectDocumented } from '../docs/documented-event.ts';
import { appointmentIn, type ApiAnswer } from '../support/api-client.ts';
import { bookingBody, inHours } from '../support/clinic.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import { storedEvents } from '../support/stored/stored-events.ts';
import { createImporter, type Item } from './import/imported-visits.ts';

let hour = 100;
const api = await suiteApi();
const importer = createImporter(api.client, api.clinic);

/** Columns that the service works with, and the API does not show. */
const INTERNAL = [
  'tenantId',
  'nameHash',
  'nameTokens',
  'blockFrom',
  'blockUntil',
  'blocks',
  'blocksOver',
  'ownLength',
  'reinstatedAt',
  'unacknowledgedVersion',
  'importedVersion',
  'acknowledgedBy',
  'remindedHoursBefore',
];
/** Shown together, as `acknowledgement`. */
const ACKNOWLEDGED = ['acknowledgedVersion', 'acknowledgedState', 'acknowledgedAt', 'refusalReason'];
/** Shown by the API; events do not show them, or only when they changed. */
const NOT_IN_EVENTS = ['patientNotes', 'metadata', 'cancellationReason', 'checkedInAt', 'acknowledgement'];
/** What a change sets besides the fields that are edited. */
const OTHER_CHANGES = [
  'status',
  'reason',
  'startsAt',
  'professionalId',
  'respectHours',
  'callId',
  'holdId',
  'overlap',
];
/** What an import says of a visit besides the fields that are edited. */
const OF_A_VISIT = ['professionalId', 'startsAt', 'status', 'source', 'overlap'];

/** Another value of each field that is edited, and how it is shown. */
const CHANGED: Record<SaidField, { said: unknown; shown?: unknown }> = {
  patientName: { said: 'Ana Lopes' },
  patientPhone: { said: '+351912345679', shown: expect.stringMatching(/^[0-9a-f]{64}$/) },
  patientNotes: { said: 'Prefers mornings' },
  externalId: { said: 'another-id' },
  patientExternalId: { said: 'patient-77' },
  metadata: { said: { chair: 7 } },
};
const edited = EDITABLE_FIELDS.map((column) => {
  const { said, shown = said } = CHANGED[saidName(column)];
  return { field: saidName(column), column, said, shown };
});
const inOrder = (names: Iterable<string>) => [...names].toSorted();

describe('a column of appointments', () => {
  const columns = Object.keys(AppointmentEntity.meta.properties);

  test('is shown by the API, or is named as internal', () => {
    const shown = Object.keys(appointmentSchema.shape).filter((field) => field !== 'acknowledgement');
    expect(inOrder(columns)).toEqual(inOrder([...shown, ...ACKNOWLEDGED, ...INTERNAL]));
  });

  test('that the API shows is shown by events too, or is named as left out', () => {
    const shown = [...Object.keys(eventAppointment.shape), ...NOT_IN_EVENTS];
    expect(inOrder(shown)).toEqual(inOrder(Object.keys(appointmentSchema.shape)));
  });

  test('that erasing a patient empties is kept from keys that may not read appointments', () => {
    const ofPatient = [...Object.keys(ERASED_APPOINTMENT), 'patientPhoneHash']
      .filter(
        // What the key's own system calls the appointment.
        (column) => column !== 'externalId',
      )
      .map((column) => (ACKNOWLEDGED.includes(column) ? 'acknowledgement' : column));
    for (const { withholds } of Object.values(appointmentContracts))
      if (withholds) expect(inOrder(Object.keys(withholds.fields))).toEqual(inOrder(ofPatient));
  });
});

const { bookAppointment, changeAppointment } = appointmentContracts;
const fieldsOf = (schema: unknown) => (schema instanceof z.ZodObject ? Object.keys(schema.shape) : []);

test('changes and imports take the fields that are edited, and those that are named', () => {
  const names = edited.map(({ field }) => field);
  const changed = fieldsOf(changeAppointment.request.body?.schema);
  expect(inOrder(changed)).toEqual(inOrder([...names, 'serviceTypeId', 'endsAt', ...OTHER_CHANGES]));
  const imported = [...names, 'serviceTypeId', 'endsAt', 'checkedInAt', 'reason', ...OF_A_VISIT];
  expect(inOrder(fieldsOf(importItem))).toEqual(inOrder(imported));
  expect(fieldsOf(bookAppointment.request.body?.schema)).toEqual(expect.arrayContaining(names));
});

test('a booking keeps, shows and tells every field that it takes', async () => {
  const said = Object.fromEntries(edited.map((each) => [each.field, each.said]));
  const answer = await booked({ ...said, externalId: 'booked-with-all' });
  const shown = Object.fromEntries(edited.map((each) => [each.column, each.shown]));
  const whole: Item = { ...shown, externalId: 'booked-with-all' };
  expect(await read(answer.id)).toMatchObject(whole);
  const told = edited.filter(({ column }) => column in eventAppointment.shape);
  const [event] = await eventsOf(answer.id);
  expect(event?.data.appointment).toMatchObject(
    Object.fromEntries(told.map(({ column }) => [column, whole[column]])),
  );
});

describe.each(edited)('a change of $field', ({ field, column, said, shown }) => {
  test('is stored, shown and told once', async () => {
    const { id } = await booked();
    const answer = await api.client.patch(`/v1/appointments/${id}`, { [field]: said });
    expect(answer.body).toMatchObject({ [column]: shown, version: 2 });
    expect(await read(id)).toEqual(answer.body);
    await expectTold(id, { field, column, value: answer.body[column] });
    const again = await api.client.patch(`/v1/appointments/${id}`, { [field]: said });
    expect(again.body).toEqual(answer.body);
    expect(await eventsOf(id)).toHaveLength(2);
  });
});

/** A visit of an hour, without a service. */
const anHourLong = (hoursAgo: number): Item => ({
  serviceTypeId: undefined,
  startsAt: inHours(-hoursAgo).toISOString(),
  endsAt: inHours(1 - hoursAgo).toISOString(),
});

interface Correction {
  field: string;
  column: string;
  before?: Item;
  after: () => Item;
  isTold?: boolean;
}
const corrections: Correction[] = [
  ...edited
    .filter(({ field }) => field !== 'externalId')
    .map(({ field, column, said }) => ({ field, column, after: () => ({ [field]: said }) })),
  {
    field: 'serviceTypeId',
    column: 'serviceTypeId',
    before: anHourLong(48),
    after: () => ({ serviceTypeId: api.clinic.serviceTypeId }),
  },
  {
    field: 'endsAt',
    column: 'endsAt',
    before: anHourLong(24),
    after: () => ({ endsAt: inHours(-22).toISOString() }),
  },
  {
    field: 'checkedInAt',
    column: 'checkedInAt',
    after: () => ({ checkedInAt: inHours(-400).toISOString() }),
    isTold: false,
  },
  {
    field: 'cancellationReason',
    column: 'cancellationReason',
    before: { status: 'cancelled', reason: 'patient_requested' },
    after: () => ({ reason: 'auto' }),
    isTold: false,
  },
];

describe.each(corrections)(
  'an import with another $field',
  ({ field, column, before, after, isTold = true }) => {
    test('is stored, shown and told once', async () => {
      const visit = importer.aVisit(`import-${field}`, before);
      const id = await importer.idOf(visit);
      const first = await read(id);
      const changed = { ...visit, ...after() };
      expect(await importer.resultsOf([changed], { events: true })).toEqual(['updated']);
      const second = await read(id);
      expect(second[column]).not.toEqual(first[column]);
      expect(await timelineFields(id)).toContain(field);
      if (isTold) await expectTold(id, { field, column, value: second[column] });
      expect(await eventsOf(id)).toHaveLength(isTold ? 1 : 0);
      expect(await importer.resultsOf([changed], { events: true })).toEqual(['unchanged']);
      expect(await read(id)).toEqual(second);
    });
  },
);

type Shown = Record<string, unknown> & { id: string };

async function booked(said: Item = {}): Promise<Shown> {
  hour += 1;
  const answer = await api.client.post('/v1/appointments', bookingBody(api.clinic, inHours(hour), said));
  return shownIn(answer, 201);
}

async function read(id: string) {
  return shownIn(await api.client.get(`/v1/appointments/${id}`), 200);
}

function shownIn(answer: ApiAnswer, status: number): Shown {
  expect([answer.status, answer.text]).toEqual([status, answer.text]);
  return { ...answer.body, id: appointmentIn(answer).id };
}

interface Told {
  data: { appointment: Record<string, unknown>; changes?: string[] };
}

async function eventsOf(appointmentId: string): Promise<Told[]> {
  const events = await storedEvents(api.database, { appointmentId });
  for (const { type, body } of events) expectDocumented(type, body ?? '');
  return events.map(({ body }) => JSON.parse(body ?? '') as Told);
}

async function expectTold(
  id: string,
  { field, column, value }: { field: string; column: string; value: unknown },
) {
  const { data } = (await eventsOf(id)).at(-1) ?? {};
  expect(data?.changes).toContain(field);
  expect(data?.appointment[column]).toEqual(value);
}

async function timelineFields(id: string): Promise<unknown> {
  const { body } = await api.client.get(`/v1/appointments/${id}/timeline`);
  const items = body['items'] as { kind: string; changes?: { fields?: unknown } }[];
  return items.findLast(({ kind }) => kind === 'updated')?.changes?.fields;
}
