import { expect, test } from '@jest/globals';
import { scopesToReceive } from '../../../domain/webhooks/event-scopes.ts';
import { EVENT_TYPES, REMINDER_DUE } from '../../../domain/webhooks/event-types.ts';
import {
  DEFAULT_SUBSCRIPTION,
  patternsMatching,
  SUBSCRIPTION_PATTERNS,
} from '../../../domain/webhooks/subscription.ts';

test('an event is selected by everything, by its group and by its own name, and by nothing else', () => {
  expect(patternsMatching('appointment.no_show')).toEqual(['*', 'appointment.*', 'appointment.no_show']);
});

test.each(EVENT_TYPES)('%s is selected only by patterns that an endpoint may subscribe to', (type) => {
  expect(SUBSCRIPTION_PATTERNS).toEqual(expect.arrayContaining(patternsMatching(type)));
  if (type !== REMINDER_DUE)
    expect(patternsMatching(type)).toEqual(expect.arrayContaining([...DEFAULT_SUBSCRIPTION]));
});

test('a reminder, whose link acts for the patient, is selected only by its name', () => {
  expect(patternsMatching(REMINDER_DUE)).toEqual([REMINDER_DUE]);
  expect(scopesToReceive(['*'])).not.toContain('appointments:write');
  expect(scopesToReceive(['appointment.*'])).toEqual(['appointments:read']);
  expect(scopesToReceive([REMINDER_DUE])).toEqual(['appointments:read', 'appointments:write']);
});

test('the groups are those of the event types', () => {
  const groups = SUBSCRIPTION_PATTERNS.filter((pattern) => pattern.endsWith('.*'));
  expect(groups).toEqual([
    'appointment.*',
    'call.*',
    'patient.*',
    'nps.*',
    'triage.*',
    'tenant.*',
    'endpoint.*',
  ]);
});
