import { EVENT_TYPES, REMINDER_DUE, type EventType } from './event-types.ts';

const ALL_EVENTS = '*';

/** Every event that need not be named goes to the endpoint: docs/events.md#subscription */
export const DEFAULT_SUBSCRIPTION: readonly string[] = [ALL_EVENTS];

function groupOf(type: EventType): string {
  return `${type.slice(0, type.indexOf('.'))}.*`;
}

/** All subscription patterns: `*`, a group such as `appointment.*`, or one type. */
export const SUBSCRIPTION_PATTERNS: readonly string[] = [
  ALL_EVENTS,
  ...new Set(EVENT_TYPES.map(groupOf)),
  ...EVENT_TYPES,
];

/** The patterns that match `type`: an endpoint gets the event if its list contains one of them. */
export function patternsMatching(type: EventType): string[] {
  if (type === REMINDER_DUE) return [type];
  return [ALL_EVENTS, groupOf(type), type];
}
