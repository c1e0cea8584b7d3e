import { expect, test } from '@jest/globals';
import { EVENT_TYPES } from '../../../domain/webhooks/event-types.ts';
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
  expect(patternsMatching(type)).toEqual(expect.arrayContaining([...DEFAULT_SUBSCRIPTION]));
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
