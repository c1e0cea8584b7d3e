import { hasScopes, type Scope } from '../clinic/api-scopes.ts';
import { EVENT_TYPES, TEST_EVENT_TYPE, type AnyEventType, type EventType } from './event-types.ts';
import { patternsMatching } from './subscription.ts';

type GroupOf<T extends string> = T extends `${infer Group}.${string}` ? Group : never;

/** By the part of an event's type before the dot. */
const SCOPES_BY_GROUP: Readonly<Record<GroupOf<EventType>, Scope>> = {
  appointment: 'appointments:read',
  patient: 'appointments:read',
  nps: 'appointments:read',
  triage: 'appointments:read',
  call: 'calls:read',
  tenant: 'tenant:read',
};

/** The scope that anyone who reads the body of such an event needs; a test event holds nothing of the clinic's. docs/events.md#scopes */
export function scopesToReadEvent(type: AnyEventType): Scope[] {
  return type === TEST_EVENT_TYPE
    ? []
    : [SCOPES_BY_GROUP[type.slice(0, type.indexOf('.')) as GroupOf<EventType>]];
}

/** Whether what such an event holds, and what a receiver answered to it, may be shown. @param scopes null: not bounded */
export function mayReadEvent(scopes: readonly Scope[] | null, type: AnyEventType): boolean {
  return hasScopes(scopes, scopesToReadEvent(type));
}

/** The scopes that anyone who receives what a subscription selects needs. */
export function scopesToReceive(patterns: readonly string[]): Scope[] {
  const selected = EVENT_TYPES.filter((type) =>
    patternsMatching(type).some((pattern) => patterns.includes(pattern)),
  );
  return [...new Set(selected.flatMap(scopesToReadEvent))];
}
