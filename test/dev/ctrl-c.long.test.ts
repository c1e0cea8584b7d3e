import type { ServerResponse } from 'node:http';
import { afterAll, expect, test } from '@jest/globals';
import { readFirstClinic } from '../../dev/first-clinic/first-clinic.ts';
import { dataDirectory } from '../../dev/data-directory/data-directory.ts';
import { aDataDirectory, npmStart, processesLeft } from '../support/servers/npm-start.ts';
import { startService, type RunningInstance } from '../support/servers/service.ts';

let service: RunningInstance | null = null;
afterAll(() => service?.[Symbol.asyncDispose]());

test('Ctrl-C lets a delivery under way end, which is then not sent again, and leaves no process', async () => {
  service = await startService({}, { ownGroup: true });
  const running = service.running();
  const receiver = await service.receiver();
  const inFlight: ServerResponse[] = [];
  receiver.otherwise((response) => void inFlight.push(response));
  const endpointId = await sendTestEvent(service, receiver.url());
  await receiver.received(1);

  service.npm.pressCtrlC();
  await service.npm.untilOutput('Stopping');
  // What npm passes on comes now, unless it came together with the first.
  service.npm.pressCtrlC();
  inFlight[0]?.end();
  expect(await service.npm.exitCode).toBe(0);
  expect(processesLeft(running)).toEqual([]);

  const next = npmStart(service.dataDirectory);
  await next.untilRunning();
  const { items } = await service.admin<{ items: unknown[] }>('delivery', 'list', '--endpoint', endpointId);
  next.signal('SIGTERM');
  await next.exitCode;
  expect(items).toEqual([expect.objectContaining({ status: 'succeeded', attemptCount: 1 })]);
  expect(receiver.requests).toHaveLength(1);
});

test('Ctrl-C in the middle of a start is no failure and leaves no process', async () => {
  const directory = await aDataDirectory();
  const npm = npmStart(directory.path, { ownGroup: true });
  await npm.untilOutput('Bringing the database');
  npm.pressCtrlC();
  expect(await npm.exitCode).toBe(0);
  expect(npm.output()).toMatch(/Stopping\n$/);
  await directory.remove();
});

/** Returns the id of the endpoint. */
async function sendTestEvent(instance: RunningInstance, url: string): Promise<string> {
  const clinic = readFirstClinic(dataDirectory(instance.dataDirectory).demo);
  if (clinic === null) throw new Error('there is no first clinic');
  const options = ['--tenant', clinic.tenantId, '--url', url];
  const { id } = await instance.admin<{ id: string }>('endpoint', 'create', ...options);
  const { status } = await instance.request(clinic.key, 'POST', `/v1/webhook-endpoints/${id}/test-events`);
  expect(status).toBe(202);
  return id;
}
