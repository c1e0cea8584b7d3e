import { afterAll, expect, test } from '@jest/globals';
import { startService, type RunningInstance } from '../support/service.ts';

let instances: RunningInstance[] = [];

afterAll(() => Promise.all(instances.map((instance) => instance.stop())));

test('services that start at the same moment take ports of their own, and each is well', async () => {
  instances = await Promise.all([startService(), startService()]);
  for (const part of ['apiUrl', 'databaseUrl', 'temporalAddress', 'metricsUrl'] as const) {
    const ports = instances.map((instance) => new URL(`http://${hostOf(instance.running()[part])}`).port);
    expect(new Set(ports).size).toBe(instances.length);
  }
  for (const instance of instances) {
    expect(await instance.admin('doctor')).toMatchObject({ ok: true });
  }
}, 180_000);

/** The host and port of an address with or without a scheme. */
function hostOf(address: string): string {
  return address.replace(/^.*:\/\/([^@/]*@)?/, '').replace(/\/.*$/, '');
}
