import { expect } from '@jest/globals';
import type { AnyEventType } from '../../domain/webhooks/event-types.ts';
import { eventDefinition } from '../../domain/webhooks/events/webhook-events.schema.ts';

/** Fails unless the body of an event is what its documentation says: no field less, no field more. */
export function expectDocumented(type: AnyEventType, body: string): void {
  const event: unknown = JSON.parse(body);
  // The schema drops what it does not know.
  expect(eventDefinition(type).schema.parse(event)).toEqual(event);
}
