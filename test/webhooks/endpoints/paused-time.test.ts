import { expect, test } from '@jest/globals';
import { pauseEndpoint, resumeEndpoint } from '../../../commands/webhooks/pause-endpoint.ts';
import { forSuite } from '../../support/for-suite.ts';
import { until } from '../../support/until.ts';
import { startSkippedTime, type PlayedEndpoint } from '../skipped-time.ts';

const HOUR_MS = 3_600_000;

const skipped = await forSuite(startSkippedTime());

async function sleepHours(hours: number): Promise<void> {
  await skipped.time.environment.sleep(hours * HOUR_MS);
}

async function pause(endpoint: PlayedEndpoint, hours: number): Promise<void> {
  const context = await endpoint.operator();
  await skipped.database.write((em) => pauseEndpoint(em, { ...idsOf(endpoint), hours }, context));
}

async function resume(endpoint: PlayedEndpoint): Promise<void> {
  const context = await endpoint.operator();
  await skipped.database.write((em) => resumeEndpoint(em, idsOf(endpoint), context));
  await endpoint.dispatch();
}

function idsOf({ tenantId, endpointId }: PlayedEndpoint) {
  return { tenantId, endpointId };
}

/** A delivery whose first attempt has failed; the second is due in 30 seconds. */
async function aRetry(endpoint: PlayedEndpoint) {
  const delivery = await endpoint.event();
  await endpoint.dispatch();
  return until('the first attempt', async () => {
    const now = await endpoint.delivery(delivery.id);
    return now.attemptCount === 1 && now;
  });
}

test('a retry that waits when the pause begins is made when it ends, with the next number', async () => {
  const endpoint = await skipped.endpoint();
  await skipped.working(async () => {
    const { id } = await aRetry(endpoint);
    await pause(endpoint, 48);
    await sleepHours(47);
    expect(await endpoint.delivery(id)).toMatchObject({ status: 'retrying', attemptCount: 1 });
    endpoint.answers(200);
    await sleepHours(1.1);
    const ended = await until('the attempt', async () => {
      const now = await endpoint.delivery(id);
      return now.status === 'succeeded' && now;
    });
    expect(ended.attemptCount).toBe(2);
  });
});

test('a resumed endpoint gets its waiting retries at once, days before the pause would have ended', async () => {
  const endpoint = await skipped.endpoint();
  await skipped.working(async () => {
    const { id } = await aRetry(endpoint);
    await pause(endpoint, 168);
    await sleepHours(5);
    expect(await endpoint.delivery(id)).toMatchObject({ status: 'retrying', attemptCount: 1 });
    endpoint.answers(200);
    await resume(endpoint);
    await until('the attempt', async () => (await endpoint.delivery(id)).status === 'succeeded');
    expect(await endpoint.delivery(id)).toMatchObject({ attemptCount: 2 });
  });
});

test('a failing endpoint that is paused for two days is disabled two days later', async () => {
  const endpoint = await skipped.endpoint();
  await skipped.working(async () => {
    await endpoint.useUpAnEvent();
    await sleepHours(20);
    await pause(endpoint, 48);
    await sleepHours(30);
    expect((await endpoint.row()).status).toBe('failing');
    await sleepHours(21);
    expect((await endpoint.row()).status).toBe('failing');
    expect(await endpoint.graceEnds()).toEqual({ status: 'deactivated' });
  });
});

test('a failing endpoint that is resumed early is disabled earlier than the pause had put it off', async () => {
  const endpoint = await skipped.endpoint();
  await skipped.working(async () => {
    await endpoint.useUpAnEvent();
    await sleepHours(20);
    await pause(endpoint, 100);
    await sleepHours(10);
    await resume(endpoint);
    await sleepHours(3.5);
    expect((await endpoint.row()).status).toBe('failing');
    await sleepHours(1);
    expect(await endpoint.health().result()).toEqual({ status: 'deactivated' });
  });
});
