import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { bookingsFor, bookingsUntil, rowOfAnswers } from '../load/answered-bookings.ts';
import type { Caller } from '../load/caller.ts';
import { createEndpoint } from '../load/caller.ts';
import { monotonicMs } from '../monotonic.ts';
import { percentile } from '../report/percentile.ts';
import type { Bench, Row, Scenario, Table } from '../scenario.ts';
import { settleButTimers } from '../service/settle.ts';
import { until } from '../until.ts';
import { countDue, makeDueMonth } from '../year/due-month.ts';
import { makeYear } from '../year/fill-year.ts';
import { holdSchedules } from '../year/hold-schedules.ts';
import { callerOfNewClinic } from './open-loop.ts';
import { CLINICS } from './year.ts';

const BOOKINGS_PER_SECOND = 20;
const BEGIN_LIMIT_MS = 60_000;

export const yearReconcile: Scenario = {
  name: 'year-reconcile',
  title: 'Reconciling after Temporal has lost everything',
  about:
    `Bookings, ${BOOKINGS_PER_SECOND} a second, from when each was due to its answer: alone, and while \`admin reconcile\` compares a year of a thousand clinics with a ` +
    'Temporal that knows none of its million open appointments.',
  isLong: true,
  isKept: true,
  environment: {},
  async prepare(bench) {
    const { caller } = await openYear(bench);
    return [{ round: () => besideReconcile(bench, caller) }];
  },
};

export const yearRetention: Scenario = {
  name: 'year-retention',
  title: 'A month that is over goes',
  about:
    `Bookings, ${BOOKINGS_PER_SECOND} a second, from when each was due to its answer: alone, and while the schedule \`retention\` lets a month of a thousand clinics go, in a ` +
    'year of them: 833,000 events, and deliveries with attempts of half of them. It is watched for two minutes; the month by what went in them.',
  isLong: true,
  isKept: true,
  environment: {},
  async prepare(bench) {
    const { caller, temporal } = await openYear(bench);
    return [
      {
        prepare: async () => void (await makeDueMonth(bench.service.sql)),
        isOnce: true,
        round: () => besideRetention(bench, caller, temporal),
      },
    ];
  },
};

async function openYear(bench: Bench) {
  const temporal = await holdSchedules(bench);
  await makeYear(bench, bench.size(CLINICS.full, CLINICS.quick));
  const caller = await callerOfNewClinic(bench, 20);
  await createEndpoint(caller, bench.receiver.url());
  // A cold process would flatter what comes after.
  await bookingsFor(caller, BOOKINGS_PER_SECOND, 5);
  return { caller, temporal };
}

async function besideReconcile(bench: Bench, caller: Caller): Promise<Table> {
  const { sql } = bench.service;
  const { rows } = await sql.query<{ open: number }>(
    `SELECT count(*)::integer AS open FROM calendar_entry WHERE status = 'confirmed'`,
  );
  const { took, table } = await beside(bench, caller, async () => {
    await bench.service.admin('reconcile');
  });
  const { rowCount } = await sql.query(`DELETE FROM outbox WHERE message ->> 'kind' = 'startNoShow'`);
  return {
    ...table,
    reconcile: { ...took, open: rows[0]?.open ?? 0, 'timers left to start': rowCount ?? 0 },
  };
}

async function besideRetention(bench: Bench, caller: Caller, temporal: Client): Promise<Table> {
  const { sql } = bench.service;
  const due = await countDue(sql);
  const longest = bench.size(120, 20);
  const { took, table } = await beside(bench, caller, () => runRetention(temporal, 1000 * longest));
  const perSecond = (due - (await countDue(sql))) / Number(took['took s']);
  const month = { events: due, 'events/s': perSecond, 'the month s': due / perSecond };
  return { ...table, retention: { ...took, ...month } };
}

/** Until it has ended, or was watched for so long. */
async function runRetention({ schedule, workflow }: Client, longestMs: number): Promise<void> {
  const since = new Date().toISOString();
  await schedule.getHandle('retention').trigger();
  const runs = `WorkflowType = 'retention' AND StartTime >= '${since}'`;
  const begun = async () => {
    for await (const { workflowId } of workflow.list({ query: runs })) return workflowId;
    return undefined;
  };
  const workflowId = await until('the retention to begin', begun, BEGIN_LIMIT_MS);
  const run = workflow.getHandle(workflowId);
  const isDone = await Promise.race([run.result().then(() => true), pause(longestMs, false)]);
  if (!isDone) await run.terminate('measured');
}

/** Bookings alone, then beside some work until it ends. */
async function beside(bench: Bench, caller: Caller, work: () => Promise<void>) {
  const alone = await bookingsFor(caller, BOOKINGS_PER_SECOND, bench.size(30, 10));
  await settleButTimers(bench.service);
  const begun = monotonicMs();
  const during = await bookingsUntil(caller, BOOKINGS_PER_SECOND, work());
  const took: Row = {
    'took s': (monotonicMs() - begun) / 1000,
    'p99, of alone': percentile(during.ms, 0.99) / percentile(alone.ms, 0.99),
  };
  return { took, table: { 'bookings alone': rowOfAnswers(alone), 'bookings beside': rowOfAnswers(during) } };
}
