import { expect, test } from '@jest/globals';
import { findAppointmentTimeline } from '../../../db/appointments/appointment-history.ts';
import { findBusyRanges } from '../../../db/appointments/busy-ranges.ts';
import {
  listAppointments,
  listUpdatedAppointments,
} from '../../../db/appointments/lists/list-appointments.ts';
import { listAppointmentsOfCall } from '../../../db/calls/appointments-of-call.ts';
import { listCalls } from '../../../db/calls/list-calls.ts';
import { findCollidingAppointments, listBusyBlocks } from '../../../db/clinic/busy-blocks.ts';
import { findAppointmentsOfPatient } from '../../../db/patients/appointments-of-patient.ts';
import { findPatients } from '../../../db/patients/find-patients.ts';
import { listPatientReads } from '../../../db/patient-reads/patient-reads.ts';
import { findByExternalId } from '../../../db/support/desk-search.ts';
import { claimRecalls } from '../../../db/recall/claim-recalls.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import { endpointCourse, endpointStatistics } from '../../../db/webhooks/endpoints/endpoint-statistics.ts';
import { findLastFailure } from '../../../db/webhooks/deliveries/last-failure.ts';
import { countUnreadAlerts } from '../../../db/webhooks/endpoints/notifications.ts';
import { listDeliveries } from '../../../db/webhooks/deliveries/list-deliveries.ts';
import { listEvents } from '../../../db/webhooks/events/find-events.ts';
import { aClinic, anEndpoint } from '../../support/clinic.ts';
import { suiteDatabase } from '../../support/database.ts';
import { idWith, pagesFor, uuid } from './pages-read.ts';
import { makeSealedNames } from '../sealed-names.ts';

const LIMIT = 50;
const MAX_PAGES = 700;
const ROWS = 30_000;

const database = await suiteDatabase({ poolSize: 1, statementTimeoutMs: 60_000 });
const clinic = await aClinic(database, { professionals: 2 });
const endpoints = [await anEndpoint(database, clinic.tenantId), await anEndpoint(database, clinic.tenantId)];
const names = Array.from({ length: ROWS }, (_, at) => (at < 29_980 ? 'Maria' : 'Inês Sá'));
await makeSealedNames(database, clinic.tenantId, names);
for (const statement of largeClinic()) await database.em().execute(statement);

const APPOINTMENT = idWith(15_000);
const CALL = idWith(29_950);

/** 30,000 rows in each table. What the tests ask for stands where a list that reads on until it has a page gets to last. */
function largeClinic(): string[] {
  const { tenantId, professionalIds } = clinic;
  const rows = `generate_series(1, ${ROWS}) AS i`;
  return [
    `INSERT INTO call (
       id, tenant_id, from_number_sealed, to_number_sealed, from_number_hash, to_number_hash, status, outcome, started_at, ended_at
     )
     SELECT ${uuid('i')}, '${tenantId}', '', '', '', '', 'completed', CASE WHEN i > 100 THEN 'info_only' ELSE 'voicemail' END,
       timestamptz '2026-01-01' + i * interval '1 minute', timestamptz '2026-02-01'+ i * interval '1 minute'
     FROM ${rows}`,
    `INSERT INTO appointment (
       id, tenant_id, professional_id, patient_name, patient_phone_hash, starts_at, ends_at, block_from, block_until,
       blocks, status, source, external_id, patient_external_id, call_id, updated_at, name_hash, name_tokens
     )
     SELECT ${uuid('i')}, '${tenantId}', (CASE WHEN i <= 29900 THEN '${professionalIds[0]}' ELSE '${professionalIds[1]}' END)::uuid,
       name, 'hash' || i % 3000, at, at + interval '1 hour', at, at + interval '1 hour',
       false, CASE WHEN i <= 29800 THEN 'attended' WHEN i <= 29900 THEN 'no_show' ELSE 'confirmed' END,
       'manual', 'external' || i, 'patient' || i % 3000, CASE WHEN i > 29900 THEN ${uuid('i')} END, at, hash, tokens
     FROM sealed_name, LATERAL (SELECT timestamptz '2026-01-01' + i * interval '1 minute' AS at)`,
    `INSERT INTO webhook_event (id, tenant_id, type, body, appointment_id, created_at)
     SELECT 'evt_' || i, '${tenantId}', CASE WHEN i > 100 THEN 'appointment.created' ELSE 'appointment.cancelled' END, '{}',
       ${uuid('i')}, timestamptz '2026-01-01' + i * interval '1 minute'
     FROM ${rows}`,
    `INSERT INTO appointment_change (tenant_id, appointment_id, kind, actor, changes, event_id)
     SELECT '${tenantId}', ${uuid('i')}, 'created', 'operator', '{}', 'evt_' || i
     FROM ${rows}`,
    `INSERT INTO webhook_delivery (
       id, tenant_id, event_id, endpoint_id, event_type, appointment_id, workflow_id, status, next_attempt_at,
       last_error_class, created_at
     )
     SELECT uuidv7(at - clock_timestamp()), '${tenantId}', 'evt_' || i, (CASE WHEN i > 100 THEN '${endpoints[0]}' ELSE '${endpoints[1]}' END)::uuid,
       CASE WHEN i > 100 THEN 'appointment.created' ELSE 'appointment.cancelled' END, ${uuid('i')}, 'delivery' || i, status,
       CASE WHEN status IN ('pending', 'retrying') THEN now() END,
       CASE WHEN i <= 100 THEN 'tls_error' WHEN i % 2 = 0 THEN 'http_5xx' END, at
     FROM ${rows}, LATERAL (
       SELECT
         (ARRAY['succeeded', 'pending', 'retrying', 'failed', 'skipped'])[least(5, 1 + i / 100)] AS status,
         timestamptz '2026-01-01' + i * interval '1 minute' AS at
     )`,
    `INSERT INTO webhook_attempt (tenant_id, delivery_id, number, started_at, duration_ms, outcome)
     SELECT tenant_id, id, 1, created_at, 20, 'succeeded' FROM webhook_delivery`,
    `INSERT INTO patient_read (id, tenant_id, actor, kind, subject_ids, request_ids)
     SELECT ${uuid('i')}, '${tenantId}', 'key:' || i % 3, 'appointment', ARRAY[${uuid('i')}], '{}'
     FROM ${rows}`,
    `INSERT INTO notification (id, tenant_id, kind, endpoint_id, endpoint_url, deactivate_at, mail, read_at, created_at)
     SELECT ${uuid('i')}, '${tenantId}', 'endpoint_failing', '${endpoints[0]}', 'https://receiver.example/', now(), 'no_address',
       CASE WHEN i < 29990 THEN now() END, now()
     FROM ${rows}`,
    `INSERT INTO busy_block (id, tenant_id, external_id, professional_id, starts_at, ends_at)
     SELECT ${uuid('i')}, '${tenantId}', 'block' || i, CASE WHEN i % 10 > 0 THEN '${professionalIds[0]}'::uuid END,
       timestamptz '2026-01-01' + i * interval '1 hour', timestamptz '2026-01-01' + i * interval '1 hour' + interval '30 minutes'
     FROM ${rows}`,
    // What a GIN index has not sorted in yet is read as a whole.
    'VACUUM patient_read',
    'ANALYZE',
  ];
}

type List = (em: EntityManager, tenantId: string) => Promise<unknown>;

function appointments(filter: () => Partial<Parameters<typeof listAppointments>[1]>): List {
  return (em, tenantId) => listAppointments(em, { tenantId, ...filter() }, { limit: LIMIT });
}

function events(filter: Partial<Parameters<typeof listEvents>[1]>): List {
  return (em, tenantId) => listEvents(em, { tenantId, ...filter, limit: LIMIT });
}

function deliveries(filter: () => Partial<Parameters<typeof listDeliveries>[1]>): List {
  return (em, tenantId) => listDeliveries(em, { tenantId, ...filter(), limit: LIMIT });
}

function patients(question: string, patientPhoneHashes: string[] | null = null): List {
  return (em, tenantId) =>
    findPatients(em, {
      tenantId,
      question,
      patientPhoneHashes,
      limit: 20,
      now: new Date('2026-01-21'),
    });
}

/** Of the busier endpoint, of its newest deliveries. */
function statistics(since: Date): List {
  return (em, tenantId) => endpointStatistics(em, { tenantId, endpointId: endpoints[0] ?? '', since }, LIMIT);
}

/** Of the busier endpoint, of the newest deliveries of each day. */
function course(since: Date): List {
  const days = { since, stretches: 30, stretchMs: 86_400_000 };
  return (em, tenantId) => endpointCourse(em, { tenantId, endpointId: endpoints[0] ?? '', ...days }, 20);
}

/** Of the 20 days that the rows stand for. */
const LONG_AGO = { since: new Date('2026-01-02'), until: new Date('2026-01-03') };

/** When there are busy blocks, but no appointments any more. */
const LATE_WEEK = { from: new Date('2027-03-01'), until: new Date('2027-03-08') };
const LATE = { from: LATE_WEEK.from, to: LATE_WEEK.until };

const LISTS: [string, List][] = [
  ['appointments', appointments(() => ({}))],
  ['appointments from a day on', appointments(() => ({ from: new Date('2026-01-15') }))],
  [
    'appointments of a professional',
    appointments(() => ({ professionalId: clinic.professionalIds[1] ?? '' })),
  ],
  ['attended appointments', appointments(() => ({ status: 'attended' }))],
  ['missed appointments', appointments(() => ({ status: 'no_show' }))],
  ['confirmed appointments', appointments(() => ({ status: 'confirmed' }))],
  ['appointments by external id', appointments(() => ({ externalId: 'external29999' }))],
  ['appointments of a patient of the PMS', appointments(() => ({ patientExternalId: 'patient2999' }))],
  ['appointments of a call', (em, tenantId) => listAppointmentsOfCall(em, tenantId, CALL)],
  ['appointments of a patient', appointments(() => ({ patientPhoneHashes: ['hash2999'] }))],
  ['patients by words of a name', patients('sa ine')],
  ['patients by their number', patients('PATIENT2999')],
  ['patients by phone', patients('912 345 678', ['hash2999'])],
  [
    'recently changed appointments',
    (em, tenantId) =>
      listUpdatedAppointments(em, { tenantId, updatedSince: new Date('2026-01-20') }, { limit: LIMIT }),
  ],
  ['calls', (em, tenantId) => listCalls(em, { tenantId }, { limit: LIMIT })],
  [
    'calls with an outcome',
    (em, tenantId) => listCalls(em, { tenantId, outcome: 'voicemail' }, { limit: LIMIT }),
  ],
  [
    'who was shown an appointment',
    (em, tenantId) => listPatientReads(em, { tenantId, subjectIds: [APPOINTMENT], limit: LIMIT }),
  ],
  ['events', events({})],
  ['unread notices, counted', (em, tenantId) => countUnreadAlerts(em, tenantId, LIMIT)],
  ['events of a type', events({ type: 'appointment.cancelled' })],
  ['events of an appointment', events({ appointmentId: APPOINTMENT })],
  ['events of a day long ago', events(LONG_AGO)],
  ['events of a type of a day long ago', events({ ...LONG_AGO, type: 'appointment.created' })],
  ['deliveries', deliveries(() => ({}))],
  ['deliveries of a day long ago', deliveries(() => LONG_AGO)],
  [
    'deliveries to an endpoint on a day long ago',
    deliveries(() => ({ ...LONG_AGO, endpointId: endpoints[0] })),
  ],
  ['skipped deliveries of a day long ago', deliveries(() => ({ ...LONG_AGO, status: 'skipped' }))],
  ['deliveries that failed in a rare way', deliveries(() => ({ errorClass: 'tls_error' }))],
  ['deliveries that failed in a frequent way', deliveries(() => ({ errorClass: 'http_5xx' }))],
  ['deliveries that failed on a day long ago', deliveries(() => ({ ...LONG_AGO, errorClass: 'http_5xx' }))],
  ['deliveries of an event type', deliveries(() => ({ eventType: 'appointment.cancelled' }))],
  ['deliveries of an event', deliveries(() => ({ eventId: 'evt_1' }))],
  ['deliveries of an appointment', deliveries(() => ({ appointmentId: APPOINTMENT }))],
  ['deliveries of some appointments', deliveries(() => ({ ofAppointments: [APPOINTMENT] }))],
  ['deliveries to an endpoint', deliveries(() => ({ endpointId: endpoints[1] }))],
  ['succeeded deliveries', deliveries(() => ({ status: 'succeeded' }))],
  ['pending deliveries', deliveries(() => ({ status: 'pending' }))],
  ['retrying deliveries', deliveries(() => ({ status: 'retrying' }))],
  ['failed deliveries', deliveries(() => ({ status: 'failed' }))],
  ['skipped deliveries', deliveries(() => ({ status: 'skipped' }))],
  ['how an endpoint fared over a month', course(new Date('2025-12-25'))],
  ['the statistics of an endpoint', statistics(new Date('2026-01-20'))],
  ['the statistics of an endpoint with more than are counted', statistics(new Date('2026-01-01'))],
  [
    'the last failure at an endpoint',
    (em, tenantId) => findLastFailure(em, { tenantId, endpointId: endpoints[1] ?? '' }),
  ],
  ['busy blocks', (em, tenantId) => listBusyBlocks(em, { tenantId }, { limit: LIMIT })],
  [
    'busy blocks of a week in a year',
    (em, tenantId) => listBusyBlocks(em, { tenantId, ...LATE }, { limit: LIMIT }),
  ],
  [
    'times at which someone is taken or blocked',
    (em, tenantId) =>
      findBusyRanges(em, { tenantId, professionalIds: clinic.professionalIds, range: LATE_WEEK }),
  ],
  [
    'appointments that lie in a block',
    (em, tenantId) =>
      findCollidingAppointments(
        em,
        { tenantId, professionalId: null, from: new Date('2026-01-20'), until: new Date('2026-12-31') },
        100,
      ),
  ],
  ['the timeline of an appointment', (em, tenantId) => findAppointmentTimeline(em, tenantId, APPOINTMENT)],
];

const LISTS_OF_THE_SERVICE: [string, List][] = [
  [
    'appointments of a patient, to be erased by name',
    (em, tenantId) =>
      findAppointmentsOfPatient(em, { tenantId, patientPhoneHashes: ['hash2999'], name: 'MÁRIA' }, LIMIT),
  ],
  [
    'appointments of a patient, to be erased by number',
    (em, tenantId) => findAppointmentsOfPatient(em, { tenantId, externalId: 'patient2999' }, LIMIT),
  ],
  ['appointments of any clinic by their number', (em) => findByExternalId(em, 'EXTERNAL29999', LIMIT)],
  ['appointments of any clinic by a number that none has', (em) => findByExternalId(em, 'none', LIMIT)],
  [
    'patients who may be called back',
    (em, tenantId) =>
      claimRecalls(em, {
        tenantId,
        afterKey: '',
        limit: LIMIT,
        visitedBefore: new Date('2020-01-01'),
        now: new Date(),
      }),
  ],
];

test.each([...LISTS, ...LISTS_OF_THE_SERVICE])(
  'in a clinic with 30,000 rows a page reads few of them: %s',
  async (_, list) => {
    const pages = await pagesFor(database.em(), (em) => list(em, clinic.tenantId));
    expect(pages).toBeGreaterThan(0);
    expect(pages).toBeLessThan(MAX_PAGES);
  },
);

test.each(LISTS)('nor does a page that sees this clinic alone: %s', async (_, list) => {
  const pages = await database
    .ofClinic(clinic.tenantId)
    .read((own) => pagesFor(own, (em) => list(em, clinic.tenantId)));
  expect(pages).toBeGreaterThan(0);
  expect(pages).toBeLessThan(MAX_PAGES);
});
