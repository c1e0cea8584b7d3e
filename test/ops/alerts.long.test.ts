import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { ScheduleHandle } from '@temporalio/client';
import { evenly } from '../../bench/load/pace.ts';
import { anyPort } from '../../dev/processes/free-port.ts';
import { PROJECT_ROOT } from '../../dev/processes/run-script.ts';
import { RECONCILE_SCHEDULE } from '../../domain/temporal-names.ts';
import { aStartedCall } from '../calls/call-builders.ts';
import { aClinicsKey, audioOf, MEGABYTE, uploadTo } from '../calls/recording-builders.ts';
import { createApiClient } from '../support/api-client.ts';
import { aClinic, aKey, bookingBody, inHours } from '../support/clinic.ts';
import { until } from '../support/until.ts';
import { anEventFor } from '../webhooks/recorded-attempts.ts';
import { ALERT_RULES_FILE } from './alert-rules.ts';
import { promtool } from './prometheus.ts';
import { startWatchedService } from './watched-service.ts';
import { forSuite } from '../support/for-suite.ts';

/** The tests share the processes, leave them well and run in the order in which they stand. */

/** An hour is asked for by HEALTHY_MINUTES=60. */
const HEALTHY_MINUTES = Number(process.env['HEALTHY_MINUTES'] ?? 2);
const BOOKINGS_PER_SECOND = 5;
const DISK_MEGABYTES = 20;

const service = await forSuite(startWatchedService({ diskMegabytes: DISK_MEGABYTES }));
const { database, prometheus } = service;

test('promtool finds the rules sound, and each fires for its trouble and for nothing else', async () => {
  expect(await promtool('check', 'rules', ALERT_RULES_FILE)).toContain('SUCCESS');
  expect(await promtool('test', 'rules', join(PROJECT_ROOT, 'ops/alerts.test.yml'))).toContain('SUCCESS');
  expect(await promtool('check', 'config', join(PROJECT_ROOT, 'ops/prometheus.yml'))).toContain('SUCCESS');
});

test(
  'healthy minutes, in which a clinic books and receives events: no alert is as much as pending',
  async () => {
    const clinic = await aClinic(database);
    const receiver = await service.surroundings.startReceiver();
    await service.surroundings.subscribe(clinic.tenantId, receiver.url());
    const client = createApiClient(service.api.url, await aKey(database, clinic.tenantId));
    const count = BOOKINGS_PER_SECOND * 60 * HEALTHY_MINUTES;
    const statuses = new Set<number>();
    let hour = 24;
    await evenly(BOOKINGS_PER_SECOND, count, async () => {
      statuses.add((await client.post('/v1/appointments', bookingBody(clinic, inHours((hour += 1))))).status);
    });
    expect([...statuses]).toEqual([201]);
    await until('every event', () => receiver.requests.length === count);
    expect(await prometheus.everPending()).toEqual([]);
  },
  (HEALTHY_MINUTES + 5) * 60_000,
);

test('a disk of recordings that is nearly full', async () => {
  const client = createApiClient(service.api.url, await aClinicsKey(service.surroundings.databaseUrl));
  await service.untilNothingFires();
  const large = await aStartedCall(client);
  const uploaded = await uploadTo(client, large, { audio: audioOf(0.95 * DISK_MEGABYTES * MEGABYTE) });
  expect(uploaded.status).toBe(201);
  await service.untilOnly('DiskNearlyFull');
  await client.delete(`/v1/calls/${large}/recording`);
  await service.untilNothingFires();
});

test('a schedule that someone has paused', async () => {
  const schedule = (act: (handle: ScheduleHandle) => Promise<void>) =>
    service.surroundings.namespace.temporal.ask((client) =>
      act(client.schedule.getHandle(RECONCILE_SCHEDULE)),
    );
  await service.untilNothingFires();
  await schedule((handle) => handle.pause());
  await service.untilOnly('SchedulePaused');
  await schedule((handle) => handle.unpause());
  await service.untilNothingFires();
});

test('a database that does not answer the API', async () => {
  service.toDatabase.cut();
  await service.untilOnly('DatabaseAway').finally(() => service.toDatabase.mend());
  await service.untilNothingFires();
});

test('Temporal is away from the worker', async () => {
  service.toTemporal.cut();
  await service.untilOnly('TemporalAway').finally(() => service.toTemporal.mend());
  await service.untilNothingFires();
});

test('the worker is stopped', async () => {
  await service.stopWorker();
  await service.untilOnly('WorkerDown');
});

test('a worker with another ENCRYPTION_KEY', async () => {
  const { tenantId } = await aClinic(database);
  const receiver = await service.surroundings.startReceiver();
  const { endpointId } = await service.surroundings.subscribe(tenantId, receiver.url());
  await service.startWorker({ ENCRYPTION_KEY: randomBytes(32).toString('base64') });
  await service.untilNothingFires();
  await anEventFor(database, { tenantId, endpointId });
  await service.untilFires('WrongEncryptionKey');
  await service.stopWorker();
  await service.startWorker();
  await until('the delivery', () => receiver.requests.length > 0);
});

test('a receiver that is dead', async () => {
  const { tenantId } = await aClinic(database);
  expect(await prometheus.firing()).not.toContain('AttemptsFailing');
  const nobody = `https://127.0.0.1:${await anyPort('127.0.0.1')}/`;
  const { endpointId } = await service.surroundings.subscribe(tenantId, nobody);
  // More and more, beside the many that succeeded a while ago.
  await until('AttemptsFailing to fire', async () => {
    await anEventFor(database, { tenantId, endpointId });
    return (await prometheus.firing()).includes('AttemptsFailing');
  });
});

test('the API is stopped', async () => {
  await service.api.stop();
  await service.untilFires('ApiDown');
});
