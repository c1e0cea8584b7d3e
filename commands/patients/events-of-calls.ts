import { openEventBody } from '../../adapters/sealed-event-body.ts';
import { SecretUnreadableError, type SecretCipher } from '../../adapters/secret-cipher.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { pageOfEvents, type StoredEvent } from '../../db/patients/events-of-patient.ts';

const PAGE = 500;

/** The events that name a call: with the caller's number, or in what receivers answered. */
const TYPES = ['call.started', 'call.completed', 'call.recording_ready'];

/**
 * The stored events of these calls, by call. Calls and their events are not linked in the database, so all such events of
 * the clinic are read, a page at a time. One that no key opens shows nothing to anybody.
 */
export async function findEventsOfCalls(
  em: EntityManager,
  cipher: SecretCipher,
  { tenantId, callIds }: { tenantId: string; callIds: ReadonlySet<string> },
): Promise<Map<string, StoredEvent[]>> {
  const found = new Map<string, StoredEvent[]>();
  if (callIds.size === 0) return found;
  for (const type of TYPES) {
    for await (const event of eventsOfType(em, { tenantId, type })) {
      const callId = callOf(cipher, event);
      if (callId !== null && callIds.has(callId)) found.set(callId, [...(found.get(callId) ?? []), event]);
    }
  }
  return found;
}

/** All events of one type, read a page at a time. */
export async function* eventsOfType(
  em: EntityManager,
  wanted: { tenantId: string; type: string },
): AsyncGenerator<StoredEvent> {
  let after = null;
  for (;;) {
    const page = await pageOfEvents(em, wanted, { after, limit: PAGE });
    yield* page;
    after = page.at(-1) ?? null;
    if (page.length < PAGE) return;
  }
}

function callOf(cipher: SecretCipher, event: StoredEvent): string | null {
  try {
    const { data } = JSON.parse(openEventBody(cipher, event, event.body)) as {
      data: { call: { id: string } };
    };
    return data.call.id;
  } catch (error) {
    if (error instanceof SecretUnreadableError) return null;
    throw error;
  }
}
