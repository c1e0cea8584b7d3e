import { uuidv7 } from 'uuidv7';
import { insertEvent, type EventToInsert, type TimelineLine } from '../../db/webhooks/insert-event.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { EventType } from '../../domain/webhooks/event-types.ts';
import type { OutboxMessage } from '../../domain/outbox-message.ts';
import type { CommandContext } from '../command-context.ts';

export interface NewEvent {
  tenant: { id: string; name: string };
  type: EventType;
  data: Record<string, unknown>;
  appointmentId?: string;
  /** What the timelines say of the cause. */
  changes?: readonly TimelineLine[];
  /** Encrypts the stored body, when it shows what is stored encrypted elsewhere. */
  seal?: (eventId: string, body: string) => string;
  /** What the cause asks of Temporal besides the deliveries. */
  messages?: readonly OutboxMessage[];
}

/** `evt_` and a UUIDv7 without dashes. */
export function newEventId(): string {
  return `evt_${uuidv7().replaceAll('-', '')}`;
}

/** docs/events.md#envelope. Its text is stored and sent to the byte. */
export function eventBody(
  id: string,
  event: { tenant: NewEvent['tenant']; type: string; data: Record<string, unknown> },
  createdAt: Date,
): string {
  const { tenant, type, data } = event;
  return JSON.stringify({
    id,
    type,
    createdAt: createdAt.toISOString(),
    tenant: { id: tenant.id, name: tenant.name },
    data,
  });
}

/**
 * Stores an event, one delivery for each subscribed endpoint, the timeline lines and everything that Temporal is asked
 * for, in the caller's transaction. Lock the appointment first: outbox rows of one key run in the order of their ids.
 * Returns the event's id.
 */
export async function recordEvent(
  em: EntityManager,
  event: NewEvent,
  context: CommandContext,
): Promise<string> {
  const insertable = toInsertable(event, context);
  await insertEvent(em, insertable);
  return insertable.id;
}

/** The event as its row will be, with a new id. */
export function toInsertable(event: NewEvent, context: CommandContext): EventToInsert {
  const id = newEventId();
  const body = eventBody(id, event, context.now);
  return {
    id,
    tenantId: event.tenant.id,
    type: event.type,
    body: event.seal ? event.seal(id, body) : body,
    appointmentId: event.appointmentId ?? null,
    createdAt: context.now,
    timeline: event.changes ?? [],
    messages: event.messages ?? [],
    actor: context.actor,
    requestId: context.requestId,
  };
}
