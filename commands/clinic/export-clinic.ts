import { openCall } from '../../db/calls/open-call.ts';
import { listCallEvents } from '../../db/calls/call-events.ts';
import { findRecordingOfCall } from '../../db/calls/find-recording.ts';
import { cipherOf } from '../../db/connection/cipher-of.ts';
import type { Database, EntityManager } from '../../db/connection/open-database.ts';
import { AppointmentChangeEntity } from '../../db/entities/appointment-change.entity.ts';
import { AppointmentEntity } from '../../db/entities/appointment.entity.ts';
import { AuditEventEntity } from '../../db/entities/audit-event.entity.ts';
import { BusyBlockEntity } from '../../db/entities/busy-block.entity.ts';
import { openRows } from '../../db/encryption/field-seal.ts';
import { CallEntity } from '../../db/entities/call.entity.ts';
import { NotificationEntity } from '../../db/entities/notification.entity.ts';
import { NpsResponseEntity } from '../../db/entities/nps-response.entity.ts';
import { TriageFormEntity } from '../../db/entities/triage-form.entity.ts';
import { WebhookDeliveryEntity } from '../../db/entities/webhook-delivery.entity.ts';
import { WebhookEventEntity } from '../../db/entities/webhook-event.entity.ts';
import { bodyIfReadable } from '../../db/webhooks/events/sealed-body.ts';
import { pageOfRecalls } from '../../db/patients/recalls-of-patient.ts';
import { pageOfPatientReads } from '../../db/patient-reads/patient-reads.ts';
import { withAllExcerpts } from '../../db/webhooks/deliveries/deliveries-with-attempts.ts';
import { SEALED_FIELDS } from '../../domain/encryption/sealed-fields.ts';

/** Bodies of events have up to 256 KiB each. */
const PAGE = 100;

/** What a clinic's rows hold of what grows with the years, read a page at a time, in the order of ids. */
export function exportClinic(database: Pick<Database, 'em'>, tenantId: string) {
  return {
    appointments: () => inPages(database, (em, after) => appointmentsAfter(em, tenantId, after)),
    calls: () => inPages(database, (em, after) => callsAfter(em, tenantId, after)),
    recalls: () => inPages(database, (em, after) => pageOfRecalls(em, tenantId, { after, limit: PAGE })),
    events: () => inPages(database, (em, after) => eventsAfter(em, tenantId, after)),
    busyBlocks: () =>
      inPages(database, async (em, after) => {
        const blocks = await em.find(BusyBlockEntity, { tenantId, ...later(after) }, PAGE_BY_ID);
        return openRows(em, SEALED_FIELDS.busyBlock, blocks);
      }),
    notifications: () =>
      inPages(database, (em, after) =>
        em.find(NotificationEntity, { tenantId, ...later(after) }, PAGE_BY_ID),
      ),
    patientReads: () =>
      inPages(database, (em, after) => pageOfPatientReads(em, tenantId, { after, limit: PAGE })),
    audit: () =>
      inPages(database, (em, after) => em.find(AuditEventEntity, { tenantId, ...later(after) }, PAGE_BY_ID)),
  };
}

const PAGE_BY_ID = { orderBy: { id: 'asc' }, limit: PAGE } as const;

function later(after: string | null) {
  return after === null ? {} : { id: { $gt: after } };
}

async function* inPages<Item extends { id: string }>(
  database: Pick<Database, 'em'>,
  find: (em: EntityManager, after: string | null) => Promise<Item[]>,
): AsyncGenerator<Item> {
  let page: Item[] = [];
  do {
    page = await find(database.em(), page.at(-1)?.id ?? null);
    yield* page;
  } while (page.length > 0);
}

async function appointmentsAfter(em: EntityManager, tenantId: string, after: string | null) {
  const stored = await em.find(AppointmentEntity, { tenantId, ...later(after) }, PAGE_BY_ID);
  const rows = await openRows(em, SEALED_FIELDS.appointment, stored);
  const ofThese = { tenantId, appointmentId: { $in: rows.map(({ id }) => id) } };
  const npsResponses = await openRows(
    em,
    SEALED_FIELDS.npsResponse,
    await em.find(NpsResponseEntity, ofThese),
  );
  const triageForms = await openRows(em, SEALED_FIELDS.triageForm, await em.find(TriageFormEntity, ofThese));
  const changes = await em.find(AppointmentChangeEntity, ofThese, { orderBy: { id: 'asc' } });
  return rows.map((row) => ({
    id: row.id,
    row,
    npsResponse: npsResponses.find(({ appointmentId }) => appointmentId === row.id) ?? null,
    triageForm: triageForms.find(({ appointmentId }) => appointmentId === row.id) ?? null,
    changes: changes.filter(({ appointmentId }) => appointmentId === row.id),
  }));
}

/** One at a time: what was said in a call may have 4 MiB. */
async function callsAfter(em: EntityManager, tenantId: string, after: string | null) {
  const rows = await em.find(CallEntity, { tenantId, ...later(after) }, { ...PAGE_BY_ID, limit: 1 });
  return Promise.all(
    rows.map(async (row) => ({
      id: row.id,
      row: await openCall(em, row),
      events: await listCallEvents(em, tenantId, row.id),
      recording: await findRecordingOfCall(em, tenantId, row.id),
    })),
  );
}

async function eventsAfter(em: EntityManager, tenantId: string, after: string | null) {
  const events = await em.find(WebhookEventEntity, { tenantId, ...later(after) }, PAGE_BY_ID);
  const ofThese = { tenantId, eventId: { $in: events.map(({ id }) => id) } };
  const rows = await em.find(WebhookDeliveryEntity, ofThese, { orderBy: { id: 'asc' } });
  const deliveries = await withAllExcerpts(em, rows);
  const cipher = await cipherOf(em, tenantId);
  return events.map((event) => ({
    id: event.id,
    event,
    body: bodyIfReadable(cipher, event),
    deliveries: deliveries.filter(({ delivery }) => delivery.eventId === event.id),
  }));
}
