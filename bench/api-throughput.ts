import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Pool } from 'undici';
import { anyPort } from '../dev/free-port.ts';
import type { RunningInstance } from '../test/support/service.ts';
import { bookings, type BenchClinic } from './bench-clinic.ts';
import { percentile, summary } from './percentile.ts';

const CLIENTS = 16;
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
  const ours = new Pool(apiUrl, { connections: CLIENTS });
  const bare = new Pool(`http://127.0.0.1:${port}`, { connections: CLIENTS });
  try {
    const next = bookings(clinic);
    const headers = { authorization: `Bearer ${clinic.key}`, 'content-type': 'application/json' };
    const book = (pool: Pool) => () =>
      send(pool, { method: 'POST', path: '/v1/appointments', headers, body: JSON.stringify(next()) });
    const id = (JSON.parse(await book(ours)()) as { id: string }).id;
    const read = (pool: Pool) => () => send(pool, { method: 'GET', path: `/v1/appointments/${id}`, headers });
    return {
      clients: CLIENTS,
      bookings: await compare(book(ours), book(bare)),
      reads: await compare(read(ours), read(bare)),
    };
  } finally {
    await Promise.all([ours.close(), bare.close()]);
    baseline.disconnect();
    await once(baseline, 'exit');
  }
}

async function send(pool: Pool, options: Parameters<Pool['request']>[0] & object): Promise<string> {
  const { statusCode, body } = await pool.request(options);
  const text = await body.text();
  if (statusCode >= 300) throw new Error(`answered ${statusCode}: ${text.slice(0, 200)}`);
  return text;
}

async function compare(ours: () => Promise<unknown>, bare: () => Promise<unknown>) {
  await round(ours);
  await round(bare);
  const pairs: [Round, Round][] = [];
  for (let i = 0; i < ROUNDS; i += 1) pairs.push([await round(ours), await round(bare)]);
  return {
    api: figures(pairs.map(([api]) => api)),
    bareKoaOneStatement: figures(pairs.map(([, other]) => other)),
    ratio: pairs.map(([api, other]) => Math.round((100 * api.perSecond) / other.perSecond) / 100),
  };
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

async function round(request: () => Promise<unknown>): Promise<Round> {
  const latenciesMs: number[] = [];
  const begun = performance.now();
  async function client(): Promise<void> {
    while (performance.now() - begun < ROUND_MS) {
      const at = performance.now();
      await request();
      latenciesMs.push(performance.now() - at);
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return { perSecond: (1000 * latenciesMs.length) / (performance.now() - begun), latenciesMs };
}
