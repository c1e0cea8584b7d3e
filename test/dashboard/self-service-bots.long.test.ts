import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Pool } from 'undici';
import { evenly, inParallel } from '../../bench/load/pace.ts';
import { monotonicMs } from '../../bench/monotonic.ts';
import { percentile } from '../../bench/report/percentile.ts';
import { startService, type RunningInstance } from '../support/servers/service.ts';
import { clinicAtWork, type ClinicAtWork } from './clicks/clinic-at-work.ts';

/** Real processes and a thousand bots at the public page of a clinic, each from an address of its own: docs/self-service.md#limits */

const BOTS = 1000;
const ROUNDS = 2;
const ROUND_SECONDS = 20;
const PER_SECOND = 20;
/** A key may ask five times a second. */
const KEYS = 8;
const SLUG = 'bots';
const MOST_IN_AN_HOUR = 60;

let service: RunningInstance;
let clinic: ClinicAtWork;
let api: Pool;
let keys: string[];
beforeAll(async () => {
  service = await startService({ TRUSTED_PROXY_HOPS: '1' });
  clinic = clinicAtWork(service);
  api = new Pool(service.running().apiUrl);
  await clinic.ask('PATCH', '/v1/tenants/me', { publicSlug: SLUG, publicBookingEnabled: true });
  keys = await Promise.all(Array.from({ length: KEYS }, newKey));
});
afterAll(async () => {
  await api.close();
  await service.stop();
});

async function newKey(): Promise<string> {
  const scopes = ['appointments:read', 'appointments:write'];
  const { key } = await clinic.ask('POST', '/v1/api-keys', { name: 'reception', scopes });
  return String(key);
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

/** Without a pause, until it is told to stop: looks at a day, takes a time, books it for a phone that it makes up. */
async function bot(
  number: number,
  { stopping, answers }: { stopping: AbortSignal; answers: Map<number, number> },
) {
  const url = service.running().dashboardUrl ?? '';
  const address = `10.9.${Math.floor(number / 250)}.${number % 250}`;
  const headers = { 'x-forwarded-for': address, origin: url };
  const dashboard = new Pool(url, { connections: 1 });
  const ask = async (path: string, body?: Record<string, string>): Promise<string> => {
    const form = body && { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await dashboard.request({
      method: body ? 'POST' : 'GET',
      path,
      headers: { ...headers, ...form },
      signal: stopping,
      body: body && new URLSearchParams(body).toString(),
    });
    answers.set(answer.statusCode, (answers.get(answer.statusCode) ?? 0) + 1);
    return answer.body.text();
  };
  const serviceTypeId = clinic.services[0]?.id ?? '';
  while (!stopping.aborted) {
    const day = new Date(Date.now() + (2 + Math.random() * 50) * 86_400_000).toISOString().slice(0, 10);
    try {
      const page = await ask(`/book/${SLUG}?service=${serviceTypeId}&day=${day}`);
      const times = [...page.matchAll(/name="time"\s+value="([^"]+)"/g)].map(([, time = '']) => time);
      const time = times[Math.floor(Math.random() * times.length)];
      if (time === undefined) continue;
      const patientPhone = `+3519${String(Math.random()).slice(2, 10)}`;
      await ask(`/book/${SLUG}/details`, { service: serviceTypeId, time, patientName: 'Bot', patientPhone });
    } catch {
      // Hung up on, or told to stop.
    }
  }
  await dashboard.destroy();
}

async function withBots<T>(work: () => Promise<T>): Promise<{ result: T; answers: Map<number, number> }> {
  const stop = new AbortController();
  const answers = new Map<number, number>();
  const bots = inParallel(BOTS, (number) => bot(number, { stopping: stop.signal, answers }));
  const result = await work();
  stop.abort();
  await bots;
  return { result, answers };
}

test('a thousand bots neither slow the API down nor fill the calendar', async () => {
  await askApi(5);
  const took = { alone: [] as number[], withBots: [] as number[] };
  const answers = new Map<number, number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    took.alone.push(...(await askApi(ROUND_SECONDS)));
    const crowded = await withBots(() => askApi(ROUND_SECONDS));
    took.withBots.push(...crowded.result);
    for (const [status, count] of crowded.answers) answers.set(status, (answers.get(status) ?? 0) + count);
  }
  const [alone, crowded] = [percentile(took.alone, 0.99), percentile(took.withBots, 0.99)];
  const medians = [percentile(took.alone, 0.5), percentile(took.withBots, 0.5)];
  const ratio = crowded / alone;
  process.stderr.write(
    `${JSON.stringify({ p99: [alone, crowded], ratio, medians, answers: [...answers] })}\n`,
  );
  const booked = answers.get(303) ?? 0;
  expect(booked).toBeGreaterThan(0);
  expect(booked).toBeLessThanOrEqual(MOST_IN_AN_HOUR);
  expect([...answers.keys()].filter((status) => status >= 500)).toEqual([]);
  expect(ratio).toBeLessThanOrEqual(2);
});
