import { Client, Connection } from '@temporalio/client';
import { createEndpoint, type Caller } from '../load/caller.ts';
import { bookingsFor, rowOfAnswers } from '../load/answered-bookings.ts';
import { monotonicMs } from '../monotonic.ts';
import { percentile } from '../report/percentile.ts';
import type { Bench, Scenario } from '../scenario.ts';
import { fillWithOldEvents } from '../service/fill-clinic.ts';
import { settle } from '../service/settle.ts';
import { until } from '../until.ts';
import { callerOfNewClinic } from './open-loop.ts';

const EVENTS = 1_000_000;
const BOOKINGS_PER_SECOND = 20;
const BEGIN_LIMIT_MS = 60_000;
const RUNS = `TemporalScheduledById = 'retention' AND ExecutionStatus = 'Running'`;

export const pruning: Scenario = {
  name: 'pruning',
  title: 'While what is old goes',
  about:
    `Bookings, ${BOOKINGS_PER_SECOND} a second, from when each was due to its answer: alone, and while the schedule "retention" lets a ` +
    'million events go that were kept for 500 days, with their deliveries and attempts.',
  isLong: true,
  environment: {},
  async prepare(bench) {
    const caller = await callerOfNewClinic(bench, 20);
    await createEndpoint(caller, bench.receiver.url());
    const temporal = await openTemporal(bench);
    // It must not begin by itself at a full hour; who is asked runs though paused.
    await temporal.schedule.getHandle('retention').pause();
    await fillWithOldEvents(bench.service.sql, caller, bench.size(EVENTS, EVENTS / 20));
    await settle(bench.service);
    return [{ round: () => besidePruning(bench, caller, temporal) }];
  },
};

async function besidePruning(bench: Bench, caller: Caller, { workflow, schedule }: Client) {
  const seconds = bench.size(30, 8);
  // A cold process would flatter the pruning.
  await bookingsFor(caller, BOOKINGS_PER_SECOND, 4);
  const alone = await bookingsFor(caller, BOOKINGS_PER_SECOND, seconds);
  await settle(bench.service);
  const before = await oldEvents(bench);
  await schedule.getHandle('retention').trigger();
  await until('the pruning to begin', async () => (await oldEvents(bench)) < before, BEGIN_LIMIT_MS);
  const [left, since] = [await oldEvents(bench), monotonicMs()];
  const beside = await bookingsFor(caller, BOOKINGS_PER_SECOND, seconds);
  const prunedEach = (left - (await oldEvents(bench))) / ((monotonicMs() - since) / 1000);
  for await (const { workflowId } of workflow.list({ query: RUNS })) {
    await workflow.getHandle(workflowId).terminate('measured');
  }
  const ofAlone = percentile(beside.ms, 0.99) / percentile(alone.ms, 0.99);
  return {
    alone: rowOfAnswers(alone),
    beside: rowOfAnswers(beside),
    pruning: {
      'p99, of alone': ofAlone,
      'events pruned /s': prunedEach,
      'events left': await oldEvents(bench),
    },
  };
}

async function oldEvents({ service }: Bench): Promise<number> {
  const { rows } = await service.sql.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM webhook_event WHERE created_at < now() - interval '400 days'`,
  );
  return rows[0]?.count ?? 0;
}

/** The engine of the service, asked directly. */
export async function openTemporal({ service, resources }: Bench): Promise<Client> {
  const { temporalAddress, temporalNamespace } = await service.running();
  const connection = await Connection.connect({ address: temporalAddress });
  resources.defer(() => connection.close());
  return new Client({ connection, namespace: temporalNamespace });
}
