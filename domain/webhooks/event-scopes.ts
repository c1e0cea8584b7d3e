import type { Scope } from '../clinic/api-scopes.ts';
import { EVENT_TYPES, type AnyEventType } from './event-types.ts';
import { patternsMatching } from './subscription.ts';

const SCOPES_BY_GROUP: Readonly<Record<string, Scope>> = {
  appointment: 'appointments:read',
  patient: 'appointments:read',
  nps: 'appointments:read',
  triage: 'appointments:read',
  call: 'calls:read',
  tenant: 'tenant:read',
};

/** The scope that whoever reads the body of such an event needs; a test event holds nothing of the clinic's. docs/events.md#scopes */
export function scopesToReadEvent(type: AnyEventType): Scope[] {
  const scope = SCOPES_BY_GROUP[type.slice(0, type.indexOf('.'))];
  return scope ? [scope] : [];
}

/** The scopes that whoever receives what a subscription selects needs. */
export function scopesToReceive(patterns: readonly string[]): Scope[] {
  const selected = EVENT_TYPES.filter((type) =>
    patternsMatching(type).some((pattern) => patterns.includes(pattern)),
  );
  return [...new Set(selected.flatMap(scopesToReadEvent))];
}
