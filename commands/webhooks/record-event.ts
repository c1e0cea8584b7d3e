import { uuidv7 } from 'uuidv7';
import type { Locked } from '../../db/connection/locks.ts';
import { insertEvent, type StampedEvent, type TimelineLine } from '../../db/webhooks/events/insert-event.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { eventActor } from '../../domain/webhooks/event-actor.ts';
import type { EventType } from '../../domain/webhooks/event-types.ts';
import type { OutboxMessage } from '../../domain/outbox-message.ts';
import type { CommandContext } from '../command-context.ts';

export interface NewEvent {
  tenant: { id: string; name: string };
  type: EventType;
  data: Record<string, unknown>;
  appointmentId?: string;
  /** An endpoint that does not get it. */
  exceptEndpointId?: string;
  /** The timeline entries of the change that caused the event. */
  changes?: readonly TimelineLine[];
  /** Other messages to Temporal. */
  messages?: readonly OutboxMessage[];
}

/** `evt_` and a UUIDv7 without dashes. */
export function newEventId(): string {
  return `evt_${uuidv7().replaceAll('-', '')}`;
}

/** docs/events.md#envelope. The text is stored and sent byte for byte. @param createdAt the time in the body */
export function eventBody(
  id: string,
  event: { tenant: NewEvent['tenant']; type: string; data: Record<string, unknown> },
  createdAt: string,
): string {
  const { tenant, type, data } = event;
  return JSON.stringify({ id, type, createdAt, tenant: { id: tenant.id, name: tenant.name }, data });
}

/**
 * Stores an event, one delivery for each subscribed endpoint, timeline lines and messages to Temporal, in the caller's
 * transaction. Lock the appointment first: outbox rows of one key run in order of their ids. Returns the event's id.
 */
export async function recordEvent(em: EntityManager, event: NewEvent, context: CommandContext) {
  const timeless = toTimeless(event, context, context.now.toISOString());
  await insertEvent(em, { ...timeless, createdAt: context.now });
  return timeless.id;
}

/** An event about a locked row, at the time of its change and with the clinic's current name. */
export function recordEventOf(
  em: EntityManager,
  { tenantName, now }: Locked,
  { tenantId, ...event }: Omit<NewEvent, 'tenant'> & { tenantId: string },
  context: CommandContext,
): Promise<string> {
  return recordEvent(em, { ...event, tenant: { id: tenantId, name: tenantName } }, { ...context, now });
}

/**
 * An event whose time is set by the statement that writes it. So its body is stored in two parts, before and after the
 * time.
 */
export function stampedEvent(context: CommandContext, eventAt: (instant: string) => NewEvent): StampedEvent {
  const instant = uuidv7();
  const event = toTimeless(eventAt(instant), context, instant);
  return { ...event, body: event.body.split(instant) };
}

/** The event as a row with a new id. @param createdAt the time in the body */
export function toTimeless(event: NewEvent, context: CommandContext, createdAt: string) {
  const id = newEventId();
  const tenantId = event.tenant.id;
  // A quiet event has no receivers, so its body is not stored.
  const body = context.isQuiet ? '' : eventBody(id, { ...event, data: withCause(event, context) }, createdAt);
  return {
    id,
    tenantId,
    type: event.type,
    body,
    appointmentId: event.appointmentId ?? null,
    timeline: event.changes ?? [],
    messages: event.messages ?? [],
    actor: context.actor,
    requestId: context.requestId,
    traceParent: context.traceParent,
    isQuiet: context.isQuiet,
    exceptEndpointId: event.exceptEndpointId,
  };
}

/** Adds the actor and request to events about appointments, so that a system can recognise its own changes. */
function withCause({ type, data }: NewEvent, { actor, requestId }: CommandContext): Record<string, unknown> {
  return type.startsWith('appointment.') ? { ...data, actor: eventActor(actor), requestId } : data;
}
