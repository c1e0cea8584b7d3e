import type { RowOf, EntityManager } from '../../db/connection/statements.ts';
import {
  pageOfEvents,
  type EventOfPatient,
  type EventPosition,
} from '../../db/patients/events-of-patient.ts';

const PAGE = 500;

/** The events that name a call: with the caller's number, or in what receivers answered. */
const TYPES = ['call.started', 'call.completed', 'call.recording_ready'] as const;

/**
 * The stored events of these calls, by call. Calls and their events are not linked in the database, so all such events of
 * the clinic are read, a page at a time.
 */
export async function findEventsOfCalls(
  em: EntityManager,
  { tenantId, callIds }: { tenantId: string; callIds: ReadonlySet<string> },
): Promise<Map<string, EventOfPatient[]>> {
  const found = new Map<string, EventOfPatient[]>();
  if (callIds.size === 0) return found;
  for (const type of TYPES) {
    for await (const event of eventsOfType(em, { tenantId, type })) {
      const callId = callOf(event);
      if (callIds.has(callId)) found.set(callId, [...(found.get(callId) ?? []), event]);
    }
  }
  return found;
}

/** All events of one type that can be read, a page at a time. */
export async function* eventsOfType(
  em: EntityManager,
  wanted: RowOf<'webhook_event', 'tenantId' | 'type'>,
): AsyncGenerator<EventOfPatient> {
  let after: EventPosition | null = null;
  do {
    const { events, next }: Awaited<ReturnType<typeof pageOfEvents>> = await pageOfEvents(em, wanted, {
      after,
      limit: PAGE,
    });
    yield* events;
    after = next;
  } while (after);
}

function callOf({ body }: EventOfPatient): string {
  return (JSON.parse(body) as { data: { call: { id: string } } }).data.call.id;
}
