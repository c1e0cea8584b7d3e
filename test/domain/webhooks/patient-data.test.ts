import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { shownByEvent, type EventShown } from '../../../domain/patient-read.ts';
import { eraseFromBody } from '../../../domain/webhooks/erase-from-body.ts';
import type { AnyEventType } from '../../../domain/webhooks/event-types.ts';
import {
  dataOf,
  fieldsOf,
  foundBy,
  patientFieldsOf,
  type FoundBy,
} from '../../../domain/webhooks/events/patient-data.schema.ts';
import { WEBHOOK_EVENTS } from '../../../domain/webhooks/events/webhook-events.schema.ts';

/** Fields of events that tell of no one without a patient: a new field is marked `ofPatient`, or named here. */
const STAYS_OF = {
  ids: [
    'id',
    'appointmentId',
    'professionalId',
    'serviceTypeId',
    'callId',
    'rescheduledToId',
    'rescheduledFromId',
    'requestId',
  ],
  endpoints: ['endpoint', 'url', 'description', 'failingSince', 'deactivateAt'],
  instants: [
    'startsAt',
    'endsAt',
    'createdAt',
    'updatedAt',
    'startedAt',
    'endedAt',
    'recordingExpiresAt',
    'lastVisitAt',
    'patientConfirmedAt',
  ],
  states: ['status', 'source', 'version', 'changes', 'state', 'outcome', 'actor', 'type', 'overlap'],
  numbers: ['durationSeconds', 'score', 'daysSinceLastVisit', 'hoursBefore'],
  clinic: ['config', 'changedKeys'],
  tests: ['message', 'exampleOf', 'example'],
  /** Their own fields are looked at. */
  objects: ['appointment', 'original', 'replacement', 'call'],
};
const STAYS = new Set(Object.values(STAYS_OF).flat());
/** Elsewhere a reason is free text. */
const stays = (type: AnyEventType, name: string) =>
  STAYS.has(name) || (type === 'appointment.cancelled' && name === 'reason');

/** How erasing a patient and exporting their data find the events of each type. Null: they hold nothing of a patient. */
const FOUND_BY: Record<AnyEventType, FoundBy | null> = {
  'appointment.created': 'appointment',
  'appointment.updated': 'appointment',
  'appointment.cancelled': 'appointment',
  'appointment.attended': 'appointment',
  'appointment.no_show': 'appointment',
  'appointment.rescheduled': 'appointment',
  'appointment.unacknowledged': 'appointment',
  'appointment.reminder_due': 'appointment',
  'call.started': 'call',
  'call.completed': 'call',
  'call.recording_ready': 'call',
  'patient.recall_due': 'phone',
  'patient.erased': null,
  'nps.submitted': 'appointment',
  'triage.submitted': 'appointment',
  'tenant.config_updated': null,
  'endpoint.failing': null,
  'endpoint.deactivated': null,
  'endpoint.recovered': null,
  'webhook.test': null,
};

/** The values of the fields with these names, wherever they stand. */
function valuesOf(names: ReadonlySet<string>, value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    names.has(name) ? [member] : valuesOf(names, member),
  );
}

describe.each(WEBHOOK_EVENTS)('$type', ({ type, schema, example }) => {
  const ofPatient = patientFieldsOf(type);

  test('has only fields that tell of a patient, or are named as staying', () => {
    const names = [...fieldsOf(dataOf(type))].map(([name]) => name);
    expect(names.filter((name) => stays(type, name) === ofPatient.has(name))).toEqual([]);
    expect(names.length).toBeGreaterThan(0);
  });

  test('is found by what it names of a patient', () => {
    expect(foundBy(type)).toBe(FOUND_BY[type]);
    const tells = [...fieldsOf(dataOf(type))].some(([name]) => ofPatient.has(name));
    // What tells receivers whom to erase stays.
    if (tells && type !== 'patient.erased') expect(foundBy(type)).not.toBeNull();
  });

  test('holds nothing of a patient once erased, and still fits its schema', () => {
    const erased = JSON.parse(
      eraseFromBody(JSON.stringify(example), '0'.repeat(64), { fromNumber: '', toNumber: '' }),
    ) as unknown;
    expect(schema.parse(erased)).toEqual(erased);
    const left = new Set(valuesOf(new Set(ofPatient.keys()), erased).map((value) => JSON.stringify(value)));
    const said = valuesOf(new Set(ofPatient.keys()), example).filter((value) => value !== null);
    expect(said.filter((value) => left.has(JSON.stringify(value)))).toEqual([]);
  });

  test('is noted in the log of who read what, unless it names no patient', () => {
    const by = foundBy(type);
    const appointmentId = by === 'appointment' ? '0195571c-5a60-7a3e-9f00-2f5d1c9b7a20' : null;
    const { ids } = shownByEvent({ appointmentId, data: example.data as EventShown['data'] });
    expect(ids).toHaveLength(by === 'appointment' || by === 'call' ? 1 : 0);
  });
});

test('a number of a patient is one of the ends of a call, which is how it is erased', () => {
  const fields = WEBHOOK_EVENTS.flatMap(({ type }) => [...patientFieldsOf(type)]);
  const numbers = fields.filter(([, as]) => as === 'number').map(([name]) => name);
  expect(['fromNumber', 'toNumber']).toEqual(expect.arrayContaining(numbers));
});

test('fields are found within everything that a schema may be made of', () => {
  const inner = z.object({ deep: z.string() });
  const made = z.object({
    list: z.array(inner.nullable()),
    both: z.object({ left: z.string() }).and(inner.optional()),
  });
  expect([...fieldsOf(made)].map(([name]) => name)).toEqual(['list', 'deep', 'both', 'left', 'deep']);
  const kinds = new Set(
    WEBHOOK_EVENTS.flatMap(({ type }) => [...fieldsOf(dataOf(type))].map(([, { _zod }]) => _zod.def.type)),
  );
  const known = ['object', 'intersection', 'optional', 'nullable', 'array'];
  const leaves = ['string', 'int', 'number', 'enum', 'literal', 'boolean', 'record'];
  expect([...kinds].filter((kind) => !known.includes(kind) && !leaves.includes(kind))).toEqual([]);
});
