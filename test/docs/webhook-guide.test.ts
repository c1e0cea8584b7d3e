import { describe, expect, test } from '@jest/globals';
import { eventDefinition } from '../../domain/webhooks/events/webhook-events.schema.ts';
import { DELIVERY_STATUSES } from '../../domain/webhooks/delivery-status.ts';
import { ENDPOINT_STATUSES } from '../../domain/webhooks/endpoint-status.ts';
import { ERROR_CLASSES } from '../../domain/webhooks/attempt-error.ts';
import { EVENT_TYPES, TEST_EVENT_TYPE } from '../../domain/webhooks/event-types.ts';
import { STANDARD_TIMINGS } from '../../domain/timings.ts';
import { deliveryHeaders, serviceSignature } from '../../domain/webhooks/webhook-headers.ts';
import { exampleHeaders, exampleOf, firstColumn, guide } from './guide.ts';

describe('the guide for receivers', () => {
  test('shows the documented example of an event', () => {
    expect(exampleOf('appointment.created')).toEqual(eventDefinition('appointment.created').example);
  });

  test('shows the very headers that sign that example', () => {
    const { id: eventId, type: eventType, createdAt } = eventDefinition('appointment.created').example;
    const [secret = ''] = /whsec_[A-Za-z0-9+/]{32}/.exec(guide) ?? [];
    const headers = deliveryHeaders({
      secrets: [secret],
      signedAt: new Date(createdAt),
      body: JSON.stringify(exampleOf('appointment.created')),
      eventId,
      eventType,
      deliveryId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a60',
      attempt: 1,
    });
    expect(exampleHeaders()).toEqual(headers);
  });

  test('gives a known answer that is right', () => {
    const signedAt = new Date(1_636_936_200_000);
    const [, digest = ''] = serviceSignature({ secrets: ['secret'], signedAt, body: 'hello !' }).split('v1=');
    expect(guide).toContain('secret `secret`, `t` `1636936200`, body `hello !`');
    expect(guide).toContain(digest);
  });

  test('names every event type, status and error class', () => {
    expect(firstColumn('type')).toEqual([...EVENT_TYPES, TEST_EVENT_TYPE]);
    expect(firstColumn('delivery')).toEqual([...DELIVERY_STATUSES]);
    expect(firstColumn('endpoint')).toEqual([...ENDPOINT_STATUSES]);
    expect(firstColumn('class')).toEqual([...ERROR_CLASSES]);
  });

  test('tells the retry schedule as it is', () => {
    const { retryDelaysSeconds } = STANDARD_TIMINGS;
    const told = [...guide.matchAll(/^\| \d \| (\d+) (seconds|minutes|hours?) after/gm)].map(
      ([, count, unit = '']) => Number(count) * secondsIn(unit),
    );
    expect(told).toEqual(retryDelaysSeconds);
    const total = retryDelaysSeconds.reduce((sum, delay) => sum + delay, 0);
    expect(total).toBe(14 * 3600 + 35 * 60 + 30);
    expect(guide).toContain('14 hours, 35 minutes and 30 seconds');
  });
});

function secondsIn(unit: string): number {
  if (unit.startsWith('hour')) return 3600;
  return unit === 'minutes' ? 60 : 1;
}
