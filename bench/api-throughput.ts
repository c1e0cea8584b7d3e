import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Pool } from 'undici';
import { anyPort } from '../dev/processes/free-port.ts';
import type { RunningInstance } from '../test/support/service.ts';
import { bookings, type BenchClinic } from './bench-clinic.ts';
import { percentile, summary } from './percentile.ts';

/** Requests under way at once: one after the other, a busy clinic group, many of them. */
const CLIENTS = [1, 16, 64];
const ROUNDS = 5;
const ROUND_MS = 2_000;

interface Round {
  perSecond: number;
  latenciesMs: number[];
}

/** Bookings and reads a second of the API and of the bare server, in turn, with the ratio round by round. */
export async function measureThroughput(service: RunningInstance, clinic: BenchClinic) {
  const { apiUrl, databaseUrl } = service.running();
  const port = await anyPort('127.0.0.1');
  const baseline = fork(new URL('baseline-server.ts', import.meta.url), {
    env: { ...process.env, DATABASE_URL: databaseUrl, PORT: String(port) },
  });
  await once(baseline, 'message');
  const bareUrl = `http://127.0.0.1:${port}`;
  try {
    const book = bookingsOf(clinic);
    const id = (JSON.parse(await withPool(apiUrl, 1, book)) as { id: string }).id;
    const read = (pool: Pool) =>
      send(pool, { method: 'GET', path: `/v1/appointments/${id}`, headers: headersOf(clinic) });
    const results = [];
    for (const clients of CLIENTS) {
      results.push({
        clients,
        bookings: await compare(apiUrl, bareUrl, clients, book),
        reads: await compare(apiUrl, bareUrl, clients, read),
      });
    }
    return results;
  } finally {
    baseline.disconnect();
    await once(baseline, 'exit');
  }
}

type Ask = (pool: Pool) => Promise<string>;

function headersOf({ key }: BenchClinic) {
  return { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
}

function bookingsOf(clinic: BenchClinic): Ask {
  const next = bookings(clinic);
  const headers = headersOf(clinic);
  return (pool) =>
    send(pool, { method: 'POST', path: '/v1/appointments', headers, body: JSON.stringify(next()) });
}

async function withPool<T>(url: string, connections: number, work: (pool: Pool) => Promise<T>): Promise<T> {
  const pool = new Pool(url, { connections });
  try {
    return await work(pool);
  } finally {
    await pool.close();
  }
}

async function send(pool: Pool, options: Parameters<Pool['request']>[0] & object): Promise<string> {
  const { statusCode, body } = await pool.request(options);
  const text = await body.text();
  if (statusCode >= 300) throw new Error(`answered ${statusCode}: ${text.slice(0, 200)}`);
  return text;
}

function compare(apiUrl: string, bareUrl: string, clients: number, ask: Ask) {
  return withPool(apiUrl, clients, (ours) =>
    withPool(bareUrl, clients, async (bare) => {
      await round(ours, clients, ask);
      await round(bare, clients, ask);
      const pairs: [Round, Round][] = [];
      for (let i = 0; i < ROUNDS; i += 1) {
        pairs.push([await round(ours, clients, ask), await round(bare, clients, ask)]);
      }
      return {
        api: figures(pairs.map(([api]) => api)),
        bareKoaOneStatement: figures(pairs.map(([, other]) => other)),
        ratio: pairs.map(([api, other]) => Math.round((100 * api.perSecond) / other.perSecond) / 100),
      };
    }),
  );
}

function figures(rounds: readonly Round[]) {
  const perSecond = percentile(
    rounds.map((each) => each.perSecond),
    0.5,
  );
  return {
    medianPerSecond: Math.round(perSecond),
    latencyMs: summary(rounds.flatMap((each) => each.latenciesMs)),
  };
}

async function round(pool: Pool, clients: number, ask: Ask): Promise<Round> {
  const latenciesMs: number[] = [];
  const begun = performance.now();
  async function client(): Promise<void> {
    while (performance.now() - begun < ROUND_MS) {
      const at = performance.now();
      await ask(pool);
      latenciesMs.push(performance.now() - at);
    }
  }
  await Promise.all(Array.from({ length: clients }, client));
  return { perSecond: (1000 * latenciesMs.length) / (performance.now() - begun), latenciesMs };
}
