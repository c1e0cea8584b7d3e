import { uuidv7 } from 'uuidv7';
import type { EventType } from '../../domain/webhooks/event-types.ts';
import type { ApiClient } from '../support/api-client.ts';
import type { TestApi } from '../support/servers/api-server.ts';
import { storedEvents } from '../support/stored/stored-events.ts';

export const CALLER = '+351912345678';
export const CLINIC_NUMBER = '+351210000000';

export function aCallBody(changes: Record<string, unknown> = {}) {
  return { fromNumber: CALLER, toNumber: CLINIC_NUMBER, startedAt: '2026-03-02T09:30:00.000Z', ...changes };
}

/** A call that has begun; returns its id. */
export async function aStartedCall(
  client: ApiClient,
  changes: Record<string, unknown> = {},
): Promise<string> {
  const id = uuidv7();
  const answer = await client.send('PUT', `/v1/calls/${id}`, { body: aCallBody(changes) });
  if (answer.status !== 201) throw new Error(`the call was not started: ${answer.text}`);
  return id;
}

export function aSpeech(sequence: number, changes: Record<string, unknown> = {}) {
  return {
    sequence,
    eventType: 'speech',
    occurredAt: '2026-03-02T09:30:05.000Z',
    transcript: 'Bom dia',
    ...changes,
  };
}

export interface StoredEvent {
  id: string;
  type: string;
  data: Record<string, unknown> & { call?: Record<string, unknown> };
}

/** The clinic's events of a type, oldest first. */
export async function eventsOf(api: TestApi, type: string): Promise<StoredEvent[]> {
  const { tenantId } = api.clinic;
  const events = await storedEvents(api.database, { tenantId, type: type as EventType });
  return events.map(({ body }) => JSON.parse(body ?? '') as StoredEvent);
}
