import { measureBarePosts } from './ceilings/bare-posts.ts';
import type { Options } from './options.ts';
import { startReceiver, type Receiver, type Totals } from './receiver/start-receiver.ts';
import type { Bench, Scenario, Stage, Table } from './scenario.ts';
import { residentMegabytes, signalPart, type Use } from './service/processes.ts';
import { settleButTimers } from './service/settle.ts';
import { startService, type Service } from './service/start-service.ts';

/** All rounds of one scenario on one side. */
export interface Measured {
  /** Row, column, then the figures of the rounds in order. */
  rows: Record<string, Record<string, number[]>>;
  /** In all rounds, counted when the service was quiet again. */
  totals: Totals;
  residentMegabytes: Use['cpuMs'];
}

export interface Outcome {
  scenario: Pick<Scenario, 'name' | 'title' | 'about'>;
  /** By the label of the side. */
  sides: Record<string, Measured>;
  /** Why it could not be measured to its end. */
  problem: string | null;
}

interface Place {
  service: Service;
  receiver: Receiver;
}

export interface Runner {
  barePosts: number;
  first: Service;
  run(scenario: Scenario): Promise<Outcome>;
}

const QUICK_CEILING_MS = 1_500;
const FULL_CEILING_MS = 4_000;

/** Starts what is shared; scenarios are then measured one after the other, the sides of each round in turn. */
export async function startRunner(options: Options, resources: AsyncDisposableStack): Promise<Runner> {
  const places = await openPlaces(options, resources);
  const [first] = places;
  if (first === undefined) throw new Error('nothing to measure');
  const barePosts = await measureBarePosts(first.service, first.receiver, {
    rounds: options.repeats,
    roundMs: options.isQuick ? QUICK_CEILING_MS : FULL_CEILING_MS,
  });
  return {
    barePosts,
    first: first.service,
    run: async (scenario) => {
      // In the whole run's stack too: an interrupted scenario is undone with it.
      await using own = resources.use(new AsyncDisposableStack());
      return await runScenario(scenario, options, barePosts, places, own);
    },
  };
}

/** One side after the other: launchers of old versions would take the same ports. */
async function openPlaces(
  { sides }: Options,
  resources: AsyncDisposableStack,
  environment?: NodeJS.ProcessEnv,
): Promise<Place[]> {
  const places: Place[] = [];
  for (const side of sides) {
    const service = await startService(side, resources, environment);
    const receiver = resources.adopt(await startReceiver(service), (each) => each.stop());
    places.push({ service, receiver });
  }
  return places;
}

async function runScenario(
  scenario: Scenario,
  options: Options,
  barePosts: number,
  shared: Place[],
  resources: AsyncDisposableStack,
): Promise<Outcome> {
  const { name, title, about, environment } = scenario;
  const outcome: Outcome = { scenario: { name, title, about }, sides: {}, problem: null };
  try {
    const places = environment === undefined ? shared : await openPlaces(options, resources, environment);
    const runs = [];
    for (const place of places) {
      const size = (full: number, quick: number) => (options.isQuick ? quick : full);
      runs.push(await startRun(scenario, { ...place, barePosts, size, resources }, outcome));
    }
    await runStages(runs, options.repeats);
    for (const run of runs) await run.finish();
  } catch (error) {
    outcome.problem = error instanceof Error ? error.message : String(error);
  }
  return outcome;
}

type Run = Awaited<ReturnType<typeof startRun>>;

async function runStages(runs: Run[], repeats: number): Promise<void> {
  for (let stage = 0; stage < Math.max(...runs.map(({ stages }) => stages.length)); stage += 1) {
    for (const run of runs) await run.prepare(stage);
    const isOnce = runs.some(({ stages }) => stages[stage]?.isOnce === true);
    for (let round = 0; round < (isOnce ? 1 : repeats); round += 1) {
      // The one that begins pays for a cold machine, or gains by it.
      for (const run of round % 2 === 0 ? runs : [...runs].reverse()) await roundAlone(run, runs, stage);
    }
  }
}

/** The worker of the other side stands still meanwhile: timers that it has left are started whenever it is calm. */
async function roundAlone(run: Run, runs: readonly Run[], stage: number): Promise<void> {
  const others = runs.filter((other) => other !== run);
  await Promise.all(others.map((other) => other.signalWorker('SIGSTOP')));
  try {
    await run.round(stage);
  } finally {
    await Promise.all(others.map((other) => other.signalWorker('SIGCONT')));
  }
}

async function startRun(scenario: Scenario, bench: Bench, outcome: Outcome) {
  const { service, receiver } = bench;
  const measured: Measured = {
    rows: {},
    totals: { lost: 0, repeated: 0 },
    residentMegabytes: await residentMegabytes(service),
  };
  outcome.sides[service.label] = measured;
  const before = receiver.totals();
  const stages: Stage[] = await scenario.prepare(bench);
  await settleButTimers(service);
  return {
    stages,
    prepare: async (stage: number) => stages[stage]?.prepare?.(),
    signalWorker: (signal: NodeJS.Signals) => signalPart(service, 'worker', signal),
    async round(stage: number) {
      const current = stages[stage];
      note(measured, (await current?.round()) ?? {});
      process.stderr.write(`  ${service.label}: ${brief(measured)}\n`);
      if (current?.leavesRest !== true && !(await settleButTimers(service))) {
        process.stderr.write(`  ${service.label}: still at work\n`);
      }
    },
    async finish() {
      await receiver.take();
      const { lost, repeated } = receiver.totals();
      measured.totals = { lost: lost - before.lost, repeated: repeated - before.repeated };
      measured.residentMegabytes = await residentMegabytes(service);
    },
  };
}

function note({ rows }: Measured, table: Table): void {
  for (const [row, columns] of Object.entries(table)) {
    const known = (rows[row] ??= {});
    for (const [column, value] of Object.entries(columns)) (known[column] ??= []).push(value);
  }
}

/** The figures of the last round, for who watches. */
function brief({ rows }: Measured): string {
  const [row, columns] = Object.entries(rows).at(-1) ?? ['', {}];
  const figures = Object.entries(columns).map(
    ([name, all]) => `${name} ${Number(all.at(-1)).toPrecision(4)}`,
  );
  return `${row}: ${figures.join(', ')}`;
}
