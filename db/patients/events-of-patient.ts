import { z } from 'zod';
import { eraseFromBody } from '../../domain/webhooks/erase-from-body.ts';
import { cipherOf } from '../connection/cipher-of.ts';
import { columnsOf } from '../connection/columns.ts';
import { anyOf, rowsOf, run, tables, type EntityManager, type RowOf } from '../connection/statements.ts';
import { bodyIfReadable, openBody, sealBody, type StoredBody } from '../webhooks/events/sealed-body.ts';

/** An event with its body as it was sent. */
export type EventOfPatient = Omit<StoredBody, 'createdAt'>;

const STORED_BODY = columnsOf('webhook_event', 'id', 'tenantId', 'createdAt').extend({ body: z.string() });

/** Every event about the appointment, including its reschedule, whose body is stored. @throws SecretUnreadableError */
export async function findEventsOfAppointment(em: EntityManager, tenantId: string, appointmentId: string) {
  const rows = await rowsOf(em, STORED_BODY)`
    SELECT id, tenant_id, body, created_at
    FROM webhook_event
    WHERE tenant_id = ${tenantId} AND appointment_id = ${appointmentId} AND body IS NOT NULL
    UNION
    SELECT id, tenant_id, body, created_at
    FROM webhook_event
    WHERE tenant_id = ${tenantId}
      AND body IS NOT NULL
      AND id IN (SELECT event_id FROM appointment_change WHERE appointment_id = ${appointmentId})
  `;
  const cipher = await cipherOf(em, tenantId);
  return rows.map((row) => ({ ...row, body: openBody(cipher, row) }));
}

/** The end of a page of events. */
export type EventPosition = Pick<StoredBody, 'createdAt' | 'id'>;

/**
 * The clinic's events of one type with a stored body, a page at a time in order of creation; `next` is null after the
 * last. Events that cannot be decrypted are left out.
 */
export async function pageOfEvents(
  em: EntityManager,
  { tenantId, type }: RowOf<'webhook_event', 'tenantId' | 'type'>,
  { after, limit }: { after: EventPosition | null; limit: number },
): Promise<{ events: EventOfPatient[]; next: EventPosition | null }> {
  const rows = await tables(em)
    .selectFrom('webhook_event')
    .select(['id', 'tenantId', 'body', 'createdAt'])
    .where('tenantId', '=', tenantId)
    .where('type', '=', type)
    .where('body', 'is not', null)
    .where((event) =>
      event.and(
        after ? [event(event.refTuple('createdAt', 'id'), '>', event.tuple(after.createdAt, after.id))] : [],
      ),
    )
    .orderBy('createdAt')
    .orderBy('id')
    .limit(limit)
    .execute();
  const cipher = await cipherOf(em, tenantId);
  const events = rows.flatMap((row) => {
    const body = bodyIfReadable(cipher, row);
    return body === null ? [] : [{ ...row, body }];
  });
  return { events, next: rows.length < limit ? null : (rows.at(-1) ?? null) };
}

/** Removes a patient from event bodies, and deletes the receivers' responses, which may repeat them. */
export async function eraseFromEvents(
  em: EntityManager,
  events: readonly EventOfPatient[],
  pseudonym: string,
  numbers?: Parameters<typeof eraseFromBody>[2],
) {
  const ids = events.map(({ id }) => id);
  const bodies = await Array.fromAsync(events, async (event) => {
    const body = eraseFromBody(event.body, pseudonym, numbers);
    return sealBody(await cipherOf(em, event.tenantId), event, body);
  });
  await run(em)`
    UPDATE webhook_event event
    SET body = given.body
    FROM unnest(${ids}::text[], ${bodies}::text[]) AS given (id, body)
    WHERE event.id = given.id
  `;
  const deliveries = tables(em).selectFrom('webhook_delivery').where('eventId', '=', anyOf(ids));
  await tables(em)
    .updateTable('webhook_attempt')
    .set({ responseExcerpt: null })
    .where('responseExcerpt', 'is not', null)
    .where('deliveryId', 'in', deliveries.select('id'))
    .execute();
}
