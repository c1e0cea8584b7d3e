import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from '@jest/globals';
import { Pool } from 'undici';
import { evenly } from '../../../bench/load/pace.ts';
import { monotonicMs } from '../../../bench/monotonic.ts';
import { percentile } from '../../../bench/report/percentile.ts';
import { PROJECT_ROOT } from '../../../dev/processes/run-script.ts';
import { startService } from '../../support/servers/service.ts';
import { clinicAtWork } from '../clicks/clinic-at-work.ts';
import { forSuite } from '../../support/for-suite.ts';

/** Real processes and a thousand bots at the public page of a clinic, each from an address of its own: docs/self-service.md#limits */

const BOTS = 1000;
const ROUNDS = 2;
const ROUND_SECONDS = 20;
const PER_SECOND = 20;
/** A key may ask five times a second. */
const KEYS = 8;
const SLUG = 'bots';
const MAX_IN_AN_HOUR = 60;

const service = await forSuite(startService({ TRUSTED_PROXY_HOPS: '1' }));
const clinic = clinicAtWork(service);
const api = new Pool(service.running().apiUrl);
await clinic.ask('PATCH', '/v1/tenants/me', { publicSlug: SLUG, publicBookingEnabled: true });
const keys = await Promise.all(Array.from({ length: KEYS }, newKey));
afterAll(() => api.close());

async function newKey(): Promise<string> {
  const scopes = ['appointments:read', 'appointments:write'];
  const { key } = await clinic.ask('POST', '/v1/api-keys', { name: 'reception', scopes });
  return String(key);
}

async function bookedByPatients(): Promise<number> {
  const { items } = await clinic.ask('GET', '/v1/appointments?limit=1000');
  return (items as { source: string }[]).filter(({ source }) => source === 'self_service').length;
}

/** How long the API takes for what a reception asks of it, in milliseconds. */
async function askApi(seconds: number): Promise<number[]> {
  const took: number[] = [];
  let asked = 0;
  await evenly(PER_SECOND, PER_SECOND * seconds, async (dueAt) => {
    asked += 1;
    const key = keys[asked % KEYS] ?? '';
    const path = asked % 2 === 0 ? availability() : '/v1/appointments?limit=20';
    const { statusCode, body } = await api.request({
      method: 'GET',
      path,
      headers: { authorization: `Bearer ${key}` },
    });
    await body.dump();
    expect(statusCode).toBe(200);
    took.push(monotonicMs() - dueAt);
  });
  return took;
}

function availability(): string {
  const [from = '', to = ''] = [1, 3].map((days) => new Date(Date.now() + days * 86_400_000).toISOString());
  const question = { serviceTypeId: clinic.services[0]?.id ?? '', from, to };
  return `/v1/availability?${new URLSearchParams(question).toString()}`;
}

/** What is answered to bots of another process while `work` is done. */
async function withBots<T>(work: () => Promise<T>): Promise<{ result: T; answers: Record<string, number> }> {
  const url = service.running().dashboardUrl ?? '';
  const given = [url, SLUG, clinic.services[0]?.id ?? '', String(BOTS)];
  const bots = spawn(
    process.execPath,
    [join(PROJECT_ROOT, 'test/dashboard/self-service/bots-main.ts'), ...given],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const said = text(bots.stdout);
  const result = await work();
  bots.kill('SIGTERM');
  return { result, answers: JSON.parse(await said) as Record<string, number> };
}

test('a thousand bots neither slow the API down nor fill the calendar', async () => {
  await askApi(5);
  const took = { alone: [] as number[], withBots: [] as number[] };
  const answers: Record<string, number>[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    took.alone.push(...(await askApi(ROUND_SECONDS)));
    const crowded = await withBots(() => askApi(ROUND_SECONDS));
    took.withBots.push(...crowded.result);
    answers.push(crowded.answers);
  }
  const [alone, crowded] = [percentile(took.alone, 0.99), percentile(took.withBots, 0.99)];
  const medians = [percentile(took.alone, 0.5), percentile(took.withBots, 0.5)];
  const ratio = crowded / alone;
  const booked = await bookedByPatients();
  process.stderr.write(`${JSON.stringify({ p99: [alone, crowded], ratio, medians, booked, answers })}\n`);
  expect(booked).toBeGreaterThan(0);
  expect(booked).toBeLessThanOrEqual(MAX_IN_AN_HOUR);
  expect(answers.flatMap(Object.keys).filter((status) => Number(status) >= 500)).toEqual([]);
  expect(ratio).toBeLessThanOrEqual(2);
});
