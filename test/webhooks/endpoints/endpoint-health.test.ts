import { expect, test } from '@jest/globals';
import { enableEndpoint } from '../../../commands/webhooks/change-endpoint-health.ts';
import { updateEndpoint } from '../../../commands/webhooks/save-endpoint.ts';
import { anEventUsedUp } from '../recorded-attempts.ts';
import { startSkippedTime, type PlayedEndpoint } from '../skipped-time.ts';
import { forSuite } from '../../support/for-suite.ts';

const HOUR_MS = 3_600_000;
/** 30 s, 5 min, 30 min, 2 h and 12 h. */
const SIX_ATTEMPTS_MS = 14 * HOUR_MS + 35 * 60_000 + 30_000;

const skipped = await forSuite(startSkippedTime());

async function subjectsTo(recipient: string): Promise<string[]> {
  const mails = skipped.mailServer.mails.filter(({ recipients }) => recipients.includes(recipient));
  return mails.map((mail) => mail.header('Subject'));
}

async function sleepHours(hours: number): Promise<void> {
  await skipped.time.environment.sleep(hours * HOUR_MS);
}

async function kinds(endpoint: PlayedEndpoint): Promise<string[]> {
  return (await endpoint.notifications()).map(({ kind, mail }) => `${kind} ${mail}`);
}

/** As after six attempts, which the first test makes. */
async function fail(endpoint: PlayedEndpoint): Promise<void> {
  await anEventUsedUp(skipped.database, endpoint, await endpoint.now());
  await endpoint.dispatch();
}

test('six failures over 14 h 35 min 30 s make an endpoint failing, 24 hours later it is deactivated: one notification and one mail each', async () => {
  const email = 'six@sorriso.example';
  const endpoint = await skipped.endpoint({ email });
  await skipped.working(async () => {
    const startedAt = (await endpoint.now()).getTime();
    expect(await endpoint.useUpAnEvent()).toMatchObject({ status: 'failed', attemptCount: 6 });

    await endpoint.mailed();
    const { status, failingSince, deactivateAt } = await endpoint.row();
    expect(status).toBe('failing');
    const tookMs = (failingSince?.getTime() ?? 0) - startedAt;
    expect(tookMs).toBeGreaterThanOrEqual(SIX_ATTEMPTS_MS);
    expect(tookMs).toBeLessThan(SIX_ATTEMPTS_MS + 60_000);
    expect(deactivateAt?.getTime()).toBe((failingSince?.getTime() ?? 0) + 24 * HOUR_MS);

    expect(await endpoint.graceEnds()).toEqual({ status: 'deactivated' });
    expect((await endpoint.row()).status).toBe('deactivated');
    expect(await kinds(endpoint)).toEqual(['endpoint_deactivated sent', 'endpoint_failing sent']);
    const [deactivated, failing] = await endpoint.notifications();
    expect(deactivated?.createdAt.getTime()).toBeGreaterThanOrEqual(deactivateAt?.getTime() ?? Infinity);
    expect(failing?.emailedAt?.getTime()).toBeLessThan((failingSince?.getTime() ?? 0) + HOUR_MS);
    expect(await subjectsTo(email)).toEqual([
      'Your webhook endpoint is failing',
      'Your webhook endpoint was disabled',
    ]);
  });
});

const corrections: [string, (endpoint: PlayedEndpoint) => Promise<unknown>][] = [
  [
    'a 2xx for a new event, which is still attempted,',
    async (endpoint) => {
      endpoint.answers(204);
      const delivery = await endpoint.event();
      await endpoint.dispatch();
      expect(await endpoint.delivered(delivery)).toMatchObject({ status: 'succeeded', attemptCount: 1 });
    },
  ],
  [
    'a changed URL',
    async ({ tenantId, endpointId, operator }) => {
      const fields = { url: 'https://pms.example/other' };
      const context = await operator();
      await skipped.database.write((em) => updateEndpoint(em, { tenantId, endpointId, fields }, context));
    },
  ],
  [
    'enabling it',
    async ({ tenantId, endpointId, operator }) => {
      const context = await operator();
      await skipped.database.write((em) => enableEndpoint(em, { tenantId, endpointId }, context));
    },
  ],
];

test.each(corrections)(
  '%s at 23 h 59 min keeps the endpoint from ever being deactivated',
  async (_by, correct) => {
    const endpoint = await skipped.endpoint();
    await skipped.working(async () => {
      await fail(endpoint);
      await sleepHours(23 + 59 / 60);
      expect((await endpoint.row()).status).toBe('failing');

      await correct(endpoint);
      await endpoint.dispatch();

      expect(await endpoint.health().result()).toEqual({ status: 'active' });
      await sleepHours(48);
      expect(await endpoint.row()).toMatchObject({
        status: 'active',
        failingSince: null,
        deactivateAt: null,
      });
      expect(await kinds(endpoint)).toEqual(['endpoint_failing sent']);
    });
  },
);

test('a correction that never reaches Temporal still counts: the row decides', async () => {
  const endpoint = await skipped.endpoint();
  await skipped.working(async () => {
    await fail(endpoint);
    const { tenantId, endpointId } = endpoint;
    const context = await endpoint.operator();
    await skipped.database.write((em) => enableEndpoint(em, { tenantId, endpointId }, context));
    await sleepHours(24);
    expect(await endpoint.health().result()).toEqual({ status: 'active' });
    expect(await kinds(endpoint)).toEqual(['endpoint_failing sent']);
    await endpoint.dispatch();
  });
});

test('failing, corrected and failing again before any worker acts: the second episode is not lost', async () => {
  const endpoint = await skipped.endpoint();
  const { tenantId, endpointId } = endpoint;
  const at = (await endpoint.now()).getTime();
  await anEventUsedUp(skipped.database, endpoint, new Date(at));
  const enabledAt = { ...(await endpoint.operator()), now: new Date(at + 1000) };
  await skipped.database.write((em) => enableEndpoint(em, { tenantId, endpointId }, enabledAt));
  await anEventUsedUp(skipped.database, endpoint, new Date(at + 2000));
  await endpoint.dispatch();

  await skipped.working(async () => {
    expect(await endpoint.graceEnds()).toEqual({ status: 'deactivated' });
    const { failingSince } = await endpoint.row();
    expect(failingSince?.getTime()).toBeGreaterThanOrEqual(at + 2000);
    expect(await kinds(endpoint)).toEqual([
      'endpoint_deactivated sent',
      'endpoint_failing sent_recently',
      'endpoint_failing sent',
    ]);
  });
});

test('failing, corrected and failing again with the worker at work: each episode is watched over', async () => {
  const endpoint = await skipped.endpoint();
  const { tenantId, endpointId } = endpoint;
  await skipped.working(async () => {
    for (let episode = 0; episode < 4; episode += 1) {
      await fail(endpoint);
      if (episode === 3) break;
      const context = await endpoint.operator();
      await skipped.database.write((em) => enableEndpoint(em, { tenantId, endpointId }, context));
      await endpoint.dispatch();
    }
    expect(await endpoint.graceEnds()).toEqual({ status: 'deactivated' });
    expect((await endpoint.notifications()).map(({ kind }) => kind)).toHaveLength(5);
  });
});

test('a second failing time within 24 hours is notified without a mail, one after that with a mail', async () => {
  const email = 'often@sorriso.example';
  const endpoint = await skipped.endpoint({ email });
  const { tenantId, endpointId } = endpoint;
  await skipped.working(async () => {
    for (const pauseHours of [2, 23, 1]) {
      await fail(endpoint);
      await endpoint.mailed();
      const context = await endpoint.operator();
      await skipped.database.write((em) => enableEndpoint(em, { tenantId, endpointId }, context));
      await endpoint.dispatch();
      await sleepHours(pauseHours);
    }
    expect(await kinds(endpoint)).toEqual([
      'endpoint_failing sent',
      'endpoint_failing sent_recently',
      'endpoint_failing sent',
    ]);
    expect(await subjectsTo(email)).toHaveLength(2);
  });
});

test('deactivation ends open deliveries as skipped, stops their workflows, and later events are stored as skipped', async () => {
  const endpoint = await skipped.endpoint();
  await skipped.working(async () => {
    await fail(endpoint);
    await endpoint.mailed();
    await sleepHours(20);
    const open = await endpoint.event();
    await endpoint.dispatch();
    expect(await endpoint.graceEnds()).toEqual({ status: 'deactivated' });
    const deactivatedAt = await endpoint.now();

    await endpoint.dispatch();
    await endpoint.health().result();
    await endpoint.dispatch();
    const stopped = await endpoint.delivered(open);
    const after = await endpoint.now();
    expect(stopped).toMatchObject({ status: 'skipped', attemptCount: 5, nextAttemptAt: null });
    // It would have slept for another nine hours.
    expect(after.getTime() - deactivatedAt.getTime()).toBeLessThan(HOUR_MS);

    const later = await endpoint.event();
    expect(later).toMatchObject({ status: 'skipped', attemptCount: 0 });
  });
});

test('a clinic without an address is told in the notification that no mail was sent', async () => {
  const endpoint = await skipped.endpoint({ email: null });
  const before = skipped.mailServer.mails.length;
  await skipped.working(async () => {
    await fail(endpoint);
    await endpoint.graceEnds();
    expect(await kinds(endpoint)).toEqual(['endpoint_deactivated no_address', 'endpoint_failing no_address']);
    expect(skipped.mailServer.mails).toHaveLength(before);
  });
});

test('a mail server that is away for hours delays the mail, not the deactivation', async () => {
  const email = 'late@sorriso.example';
  const endpoint = await skipped.endpoint({ email });
  await skipped.working(async () => {
    skipped.mailServer.refuseWith(450);
    await fail(endpoint);
    await sleepHours(25);
    expect((await endpoint.row()).status).toBe('deactivated');
    expect(await subjectsTo(email)).toEqual([]);

    skipped.mailServer.refuseWith(null);
    await sleepHours(1);
    await endpoint.health().result();
    expect(await subjectsTo(email)).toEqual([
      'Your webhook endpoint is failing',
      'Your webhook endpoint was disabled',
    ]);
  });
});
