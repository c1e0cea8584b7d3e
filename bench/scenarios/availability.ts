import type { Caller } from '../load/caller.ts';
import { closedLoop } from '../load/closed-loop.ts';
import { percentile } from '../report/percentile.ts';
import type { Bench, Scenario, Table } from '../scenario.ts';
import { fillCalendar } from '../service/fill-calendar.ts';
import { callerOfNewClinic } from './open-loop.ts';

const DAY_MS = 86_400_000;

export const availability: Scenario = {
  name: 'availability',
  title: 'Free times of a busy clinic',
  about:
    'Ten professionals, 100,000 appointments of half an hour, 300 busy blocks in the month asked for, in which two of three places are taken. ' +
    'One request at a time; the first page has up to 1,000 slots. A version that knows no blocks is asked without them.',
  environment: {},
  async prepare(bench) {
    const caller = await callerOfNewClinic(bench, 10);
    await fillCalendar(bench.service, caller, {
      appointments: bench.size(100_000, 10_000),
      blocks: 300,
    });
    return [{ round: () => measureAvailability(bench, caller) }];
  },
};

export async function measureAvailability(bench: Bench, caller: Caller): Promise<Table> {
  const { service, professionals } = caller.clinic;
  const tomorrow = Math.ceil(Date.now() / DAY_MS) * DAY_MS;
  const within = (days: number) => {
    const [from, to] = [tomorrow, tomorrow + days * DAY_MS].map((ms) => new Date(ms).toISOString());
    return `/v1/availability?serviceTypeId=${service}&from=${from}&to=${to}`;
  };
  const month = within(31);
  const questions = {
    'a month of everybody': month,
    'a month of one professional': `${month}&professionalId=${professionals[0]}`,
    'a week of everybody': within(7),
    'a day of everybody': within(1),
  };
  const table: Table = {};
  for (const [name, path] of Object.entries(questions)) {
    table[name] = await measure(bench, caller, path);
  }
  return table;
}

async function measure(bench: Bench, caller: Caller, path: string) {
  let failed = 0;
  const { latenciesMs } = await closedLoop(1, bench.size(5_000, 1_000), async () => {
    if ((await caller.send('GET', path)).status !== 200) failed += 1;
  });
  return {
    'p50 ms': percentile(latenciesMs, 0.5),
    'p95 ms': percentile(latenciesMs, 0.95),
    requests: latenciesMs.length,
    'failed requests': failed,
  };
}
