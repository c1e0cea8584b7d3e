import { createCrowd, PUBLISHERS } from '../load/crowd.ts';
import type { Scenario, Table } from '../scenario.ts';
import { fillWithAppointments } from '../service/fill-clinic.ts';
import { settleButTimers } from '../service/settle.ts';
import { drain } from './burst.ts';
import { httpStages, stillTheRest } from './http.ts';

const CLIENTS = [16];

export const growth: Scenario = {
  name: 'growth',
  title: 'With ten and a hundred times the rows',
  about:
    'Drain and requests of one clinic that has 3,000 appointments, with an event, a delivery and an attempt each, then ten and a ' +
    `hundred times as many. ${PUBLISHERS} publishers and ${CLIENTS.join()} clients.`,
  environment: {},
  async prepare(bench) {
    const crowd = await createCrowd(bench, 1);
    const [caller] = crowd.callers;
    if (caller === undefined) throw new Error('no clinic');
    const requests = await httpStages(bench, caller.clinic, CLIENTS);
    let filled = 0;
    return [1, 10, 100].map((times) => {
      const rows = times * bench.size(3_000, 300);
      return {
        async prepare() {
          await fillWithAppointments(bench.service, caller, rows - filled);
          filled = rows;
        },
        async round() {
          const table: Table = { drain: await drain(bench, crowd, bench.size(3_000, 300)) };
          await settleButTimers(bench.service);
          await stillTheRest(bench, 'SIGSTOP');
          for (const stage of requests) Object.assign(table, await stage.round());
          await stillTheRest(bench, 'SIGCONT');
          return Object.fromEntries(
            Object.entries(table).map(([row, figures]) => [`${row}, ${rows} rows`, figures]),
          );
        },
      };
    });
  },
};
