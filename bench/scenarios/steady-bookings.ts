import { Client, Connection } from '@temporalio/client';
import { booking } from '../load/caller.ts';
import { Ledger } from '../load/ledger.ts';
import { openLoop } from '../load/pace.ts';
import { monotonicMs } from '../monotonic.ts';
import { latencyColumns, percentile } from '../report/percentile.ts';
import type { Bench, Row, Scenario } from '../scenario.ts';
import { meter } from '../service/processes.ts';
import { settle } from '../service/settle.ts';
import { callerWithEndpoint } from './open-loop.ts';

const RATES = [4, 10];
const LIMIT_MS = 600_000;

export const steadyBookings: Scenario = {
  name: 'steady-bookings',
  title: 'Bookings and their workflows',
  about:
    'Bookings at an even pace for minutes, each sent to one endpoint. First attempts as under *Steady load*; from a booking to the start of its timer ' +
    'workflow; how many of the deliveries `AppointmentId` finds in the Temporal UI.',
  async prepare(bench) {
    const caller = await callerWithEndpoint(bench, '/hook');
    return RATES.map((rate) => ({
      async round() {
        const ledger = new Ledger(bench.receiver);
        const since = new Date();
        const read = await meter(bench.service);
        await openLoop(ledger, booking(caller), rate, rate * bench.size(600, 60));
        const { serviceBusy, machineBusy } = await read();
        await ledger.untilArrived(LIMIT_MS);
        await settle(bench.service, LIMIT_MS);
        return {
          [`${rate}/s`]: {
            ...latencyColumns(ledger.latenciesMs()),
            ...(await workflowColumns(bench, ledger, since)),
            'busy %': serviceBusy,
            'machine busy %': machineBusy,
            ...ledger.losses(),
          },
        };
      },
    }));
  },
};

/** What Temporal's list knows of the bookings, as an operator would ask for it. */
async function workflowColumns({ service }: Bench, ledger: Ledger, since: Date): Promise<Row> {
  const { temporalAddress, temporalNamespace } = await service.running();
  const connection = await Connection.connect({ address: temporalAddress });
  try {
    const client = new Client({ connection, namespace: temporalNamespace });
    const timers = await startsByAppointment(client, 'appointmentNoShow', since);
    const deliveries = await startsByAppointment(client, 'webhookDelivery', since);
    const asked = ledger.askedAt().map(([change, dueAt]) => ({
      appointmentId: change.split(':')[0] ?? '',
      at: dueAt + Date.now() - monotonicMs(),
    }));
    const waits = asked.flatMap(({ appointmentId, at }) => {
      const startedAt = timers.get(appointmentId);
      return startedAt === undefined ? [] : startedAt - at;
    });
    const found = asked.filter(({ appointmentId }) => deliveries.has(appointmentId)).length;
    return {
      'timer p50 ms': percentile(waits, 0.5),
      'timer p99 ms': percentile(waits, 0.99),
      'timers missing': asked.length - waits.length,
      'found %': (100 * found) / asked.length,
    };
  } finally {
    await connection.close();
  }
}

async function startsByAppointment(client: Client, type: string, since: Date): Promise<Map<string, number>> {
  const starts = new Map<string, number>();
  const query = `WorkflowType = "${type}" AND StartTime >= "${since.toISOString()}"`;
  for await (const { searchAttributes, startTime } of client.workflow.list({ query, pageSize: 1000 })) {
    const [id] = (searchAttributes['AppointmentId'] ?? []) as string[];
    if (id !== undefined) starts.set(id, startTime.getTime());
  }
  return starts;
}
