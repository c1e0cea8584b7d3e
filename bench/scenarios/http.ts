import { startBareServer } from '../ceilings/start-bare-server.ts';
import { createCaller, expectJson, type Answer, type Caller } from '../load/caller.ts';
import { closedLoop } from '../load/closed-loop.ts';
import { percentile } from '../report/percentile.ts';
import type { Bench, Row, Scenario, Stage } from '../scenario.ts';
import { signalPart } from '../service/processes.ts';
import { callerOfNewClinic } from './open-loop.ts';

const CLIENTS = [1, 16, 64];
const TURNS = 4;

type Ask = (caller: Caller) => Promise<Answer>;

const ASKS: Record<string, Ask> = {
  bookings: (caller) => caller.send('POST', '/v1/appointments', caller.nextBooking()),
  'bookings with a key': (caller) =>
    caller.send('POST', '/v1/appointments', caller.nextBooking(), crypto.randomUUID()),
};

export const httpScenario: Scenario = {
  name: 'http',
  title: 'The API alone',
  about:
    'Bookings, with and without an Idempotency-Key, and reads of one appointment, against a bare Koa server with one INSERT ' +
    'or one SELECT on the same PostgreSQL, in turn. Worker and Temporal stand still meanwhile.',
  environment: {},
  async prepare(bench) {
    const [first, ...others] = await stagesOf(bench);
    bench.resources.defer(() => stillTheRest(bench, 'SIGCONT'));
    return [{ ...first, prepare: () => stillTheRest(bench, 'SIGSTOP') } as Stage, ...others];
  },
};

async function stagesOf(bench: Bench): Promise<Stage[]> {
  const { clinic } = await callerOfNewClinic(bench, 20);
  const { apiUrl } = await bench.service.running();
  const bareServer = await startBareServer(bench.service);
  bench.resources.defer(() => bareServer.stop());
  const open = (url: string) =>
    bench.resources.adopt(createCaller(url, clinic, Math.max(...CLIENTS)), (caller) => caller.close());
  const [api, bare] = [open(apiUrl), open(bareServer.url)];
  const { id } = await expectJson<{ id: string }>(ASKS['bookings']?.(api) ?? api.send('GET', '/'));
  const asks = { ...ASKS, reads: (caller: Caller) => caller.send('GET', `/v1/appointments/${id}`) };
  return CLIENTS.flatMap((clients) =>
    Object.entries(asks).map(([name, ask]) => ({
      leavesRest: true,
      round: async () => ({ [`${name}, ${clients} at once`]: await compare(bench, api, bare, clients, ask) }),
    })),
  );
}

async function compare(bench: Bench, api: Caller, bare: Caller, clients: number, ask: Ask): Promise<Row> {
  const turnMs = bench.size(1_000, 400);
  const [ours, theirs] = [new Turns(api), new Turns(bare)];
  // The first turn is the warm-up. Short turns, because other work on the machine comes and goes.
  for (let turn = 0; turn <= TURNS; turn += 1) {
    for (const turns of [ours, theirs]) await turns.take(clients, turnMs, ask, turn > 0);
  }
  return {
    'API /s': ours.perSecond,
    'bare /s': theirs.perSecond,
    'of bare': ours.perSecond / theirs.perSecond,
    'p50 ms': percentile(ours.latenciesMs, 0.5),
    'p99 ms': percentile(ours.latenciesMs, 0.99),
    'failed requests': ours.failed + theirs.failed,
  };
}

/** The API is measured by itself: what the worker would do with the bookings competes for the same processors. */
export async function stillTheRest(bench: Bench, signal: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
  for (const part of ['worker', 'temporal'] as const) await signalPart(bench.service, part, signal);
}

class Turns {
  readonly #caller: Caller;
  #durationMs = 0;
  latenciesMs: number[] = [];
  failed = 0;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  async take(clients: number, turnMs: number, ask: Ask, counts: boolean): Promise<void> {
    const begun = performance.now();
    const { latenciesMs } = await closedLoop(clients, turnMs, async () => {
      const { status } = await ask(this.#caller);
      if (status < 200 || status > 299) this.failed += 1;
    });
    if (!counts) return;
    this.#durationMs += performance.now() - begun;
    this.latenciesMs.push(...latenciesMs);
  }

  get perSecond(): number {
    return (1000 * this.latenciesMs.length) / this.#durationMs;
  }
}
