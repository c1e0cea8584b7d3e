import { hasScopes, type Scope } from '../clinic/api-scopes.ts';
import {
  EVENT_TYPES,
  REMINDER_DUE,
  TEST_EVENT_TYPE,
  type AnyEventType,
  type EventType,
} from './event-types.ts';
import { patternsMatching } from './subscription.ts';

type GroupOf<T extends string> = T extends `${infer Group}.${string}` ? Group : never;

/** The scope to read events, keyed by the first part of the event type (`appointment` in `appointment.created`). */
const SCOPES_BY_GROUP: Readonly<Record<GroupOf<EventType>, Scope>> = {
  appointment: 'appointments:read',
  patient: 'appointments:read',
  nps: 'appointments:read',
  triage: 'appointments:read',
  call: 'calls:read',
  tenant: 'tenant:read',
  endpoint: 'webhooks:read',
};

/** The scopes for reading the body of an event; a test event needs none. docs/events.md#scopes */
export function scopesToReadEvent(type: AnyEventType): Scope[] {
  if (type === TEST_EVENT_TYPE) return [];
  const ofGroup = SCOPES_BY_GROUP[type.slice(0, type.indexOf('.')) as GroupOf<EventType>];
  // Its link confirms, moves and cancels the appointment.
  return type === REMINDER_DUE ? [ofGroup, 'appointments:write'] : [ofGroup];
}

/** Whether the event's body and receivers' responses may be shown. @param scopes null: unrestricted */
export function mayReadEvent(scopes: readonly Scope[] | null, type: AnyEventType): boolean {
  return hasScopes(scopes, scopesToReadEvent(type));
}

/** The scopes for receiving the events of a subscription. */
export function scopesToReceive(patterns: readonly string[]): Scope[] {
  const selected = EVENT_TYPES.filter((type) =>
    patternsMatching(type).some((pattern) => patterns.includes(pattern)),
  );
  return [...new Set(selected.flatMap(scopesToReadEvent))];
}

/**
 * The scopes for changing where an endpoint's events go. Reminders that it named before may still wait for it.
 */
export function scopesToRedirect(before: readonly string[], after: readonly string[]): Scope[] {
  return scopesToReceive([...after, ...before.filter((pattern) => pattern === REMINDER_DUE)]);
}
