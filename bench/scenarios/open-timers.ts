import { setTimeout as pause } from 'node:timers/promises';
import { booking } from '../load/caller.ts';
import { PUBLISHERS } from '../load/crowd.ts';
import { evenly, inParallel } from '../load/pace.ts';
import type { Scenario } from '../scenario.ts';
import { cpuEach, meter, residentMegabytes } from '../service/processes.ts';
import { settle } from '../service/settle.ts';
import { callerOfNewClinic } from './open-loop.ts';

const LIMIT_MS = 2 * 3_600_000;
const IDLE_MS = 10_000;
const MORE_PER_SECOND = 10;

export const openTimers: Scenario = {
  name: 'open-timers',
  title: 'Many open timers',
  about:
    'Appointments of the coming weeks, each with its no-show workflow waiting; nobody is told of them. What one more ' +
    'costs, everything included, and the resident memory.',
  isLong: true,
  environment: {},
  async prepare(bench) {
    const caller = await callerOfNewClinic(bench, 20);
    const book = booking(caller);
    let open = 0;
    const stage = (target: number) => ({
      async prepare() {
        const deadline = performance.now() + LIMIT_MS;
        await inParallel(PUBLISHERS, async () => {
          while (open < target && performance.now() < deadline) open += (await book()) === null ? 0 : 1;
        });
        await settle(bench.service, LIMIT_MS);
      },
      async round() {
        const more = bench.size(300, 50);
        let failed = 0;
        const idle = await meter(bench.service);
        await pause(IDLE_MS);
        const { serviceBusy } = await idle();
        const read = await meter(bench.service);
        await evenly(MORE_PER_SECOND, more, async () => {
          if ((await book()) === null) failed += 1;
        });
        await settle(bench.service);
        const use = cpuEach(await read(), more);
        open += more - failed;
        const memory = Object.entries(await residentMegabytes(bench.service));
        const megabytes = Object.fromEntries(memory.map(([part, size]) => [`${part} MB`, size]));
        return {
          [`${target} open`]: {
            open,
            'idle busy %': serviceBusy,
            ...use,
            ...megabytes,
            'failed requests': failed,
          },
        };
      },
    });
    return [stage(0), stage(bench.size(10_000, 200)), stage(bench.size(100_000, 1_000))];
  },
};
