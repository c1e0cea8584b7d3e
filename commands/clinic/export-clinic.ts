import { cipherOf } from '../../db/connection/cipher-of.ts';
import type { Database, EntityManager } from '../../db/connection/open-database.ts';
import { AppointmentChangeEntity } from '../../db/entities/appointment-change.entity.ts';
import { AppointmentEntity } from '../../db/entities/appointment.entity.ts';
import { AuditEventEntity } from '../../db/entities/audit-event.entity.ts';
import { BusyBlockEntity } from '../../db/entities/busy-block.entity.ts';
import { openRows } from '../../db/encryption/field-seal.ts';
import { CallEntity } from '../../db/entities/calls/call.entity.ts';
import { NotificationEntity } from '../../db/entities/webhooks/notification.entity.ts';
import { WebhookDeliveryEntity } from '../../db/entities/webhooks/webhook-delivery.entity.ts';
import { WebhookEventEntity } from '../../db/entities/webhooks/webhook-event.entity.ts';
import { bodyIfReadable } from '../../db/webhooks/events/sealed-body.ts';
import { pageOfRecalls } from '../../db/patients/recalls-of-patient.ts';
import { pageOfPatientReads } from '../../db/patient-reads/patient-reads.ts';
import { withAllExcerpts } from '../../db/webhooks/deliveries/list-deliveries.ts';
import { wholeCall, withAnswers } from '../patients/export-patient.ts';

/** Event bodies are up to 256 KiB each. */
const PAGE = 100;

/** The clinic's large tables, read page by page in order of IDs. */
export function exportClinic(database: Pick<Database, 'em'>, tenantId: string) {
  const pages = <Item extends { id: string }>(find: FindPage<Item>) => inPages(database, find);
  return {
    appointments: pages((em, after) => appointmentsAfter(em, tenantId, after)),
    calls: pages((em, after) => callsAfter(em, tenantId, after)),
    recalls: pages((em, after) => pageOfRecalls(em, tenantId, { after, limit: PAGE })),
    events: pages((em, after) => eventsAfter(em, tenantId, after)),
    busyBlocks: pages(async (em, after) => {
      const blocks = await em.find(BusyBlockEntity, later(tenantId, after), PAGE_BY_ID);
      return openRows(em, 'busyBlock', blocks);
    }),
    notifications: pages((em, after) => em.find(NotificationEntity, later(tenantId, after), PAGE_BY_ID)),
    patientReads: pages((em, after) => pageOfPatientReads(em, tenantId, { after, limit: PAGE })),
    audit: pages((em, after) => em.find(AuditEventEntity, later(tenantId, after), PAGE_BY_ID)),
  };
}

const PAGE_BY_ID = { orderBy: { id: 'asc' }, limit: PAGE } as const;

function later(tenantId: string, after: string | null) {
  return { tenantId, ...(after !== null && { id: { $gt: after } }) };
}

type FindPage<Item> = (em: EntityManager, after: string | null) => Promise<Item[]>;

async function* inPages<Item extends { id: string }>(database: Pick<Database, 'em'>, find: FindPage<Item>) {
  let page: Item[] = [];
  do {
    page = await find(database.em(), page.at(-1)?.id ?? null);
    yield* page;
  } while (page.length > 0);
}

async function appointmentsAfter(em: EntityManager, tenantId: string, after: string | null) {
  const stored = await em.find(AppointmentEntity, later(tenantId, after), PAGE_BY_ID);
  const visits = await withAnswers(em, tenantId, stored);
  const ofThese = { tenantId, appointmentId: { $in: stored.map(({ id }) => id) } };
  const changes = await em.find(AppointmentChangeEntity, ofThese, { orderBy: { id: 'asc' } });
  return visits.map((visit) => ({
    ...visit,
    id: visit.row.id,
    changes: changes.filter(({ appointmentId }) => appointmentId === visit.row.id),
  }));
}

/** Reads calls one at a time, because a transcript can have 4 MiB. */
async function callsAfter(em: EntityManager, tenantId: string, after: string | null) {
  const rows = await em.find(CallEntity, later(tenantId, after), { ...PAGE_BY_ID, limit: 1 });
  return Promise.all(rows.map(async (row) => ({ id: row.id, ...(await wholeCall(em, row)) })));
}

async function eventsAfter(em: EntityManager, tenantId: string, after: string | null) {
  const events = await em.find(WebhookEventEntity, later(tenantId, after), PAGE_BY_ID);
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
