import { booking, createCaller, createEndpoint, type Caller } from '../load/caller.ts';
import { Ledger } from '../load/ledger.ts';
import { openLoop } from '../load/pace.ts';
import { latencyColumns } from '../report/percentile.ts';
import type { Bench, Row, Scenario } from '../scenario.ts';
import { createClinics } from '../service/clinics.ts';
import { cpuEach, meter } from '../service/processes.ts';

const RATES = [10, 20, 50, 200];
const CONNECTIONS = 64;
const WARM_UP_SECONDS = 2;
const ARRIVAL_LIMIT_MS = 180_000;

export const openLoopScenario: Scenario = {
  name: 'open-loop',
  title: 'Steady load',
  about:
    'Bookings at an even pace, whether or not the answers keep up. From the moment a booking was due to be sent to the last ' +
    'byte of its event at the receiver. Busy: share of both processors that the service and its engines use.',
  async prepare(bench) {
    const caller = await callerWithEndpoint(bench, '/hook');
    return RATES.map((rate) => ({
      round: async () => ({ [`${rate}/s`]: await steadyLoad(bench, caller, rate, bench.size(30, 8)) }),
    }));
  },
};

export async function callerWithEndpoint(bench: Bench, path: string): Promise<Caller> {
  const caller = await callerOfNewClinic(bench, 20);
  await createEndpoint(caller, bench.receiver.url(path));
  return caller;
}

export async function callerOfNewClinic(bench: Bench, professionals: number): Promise<Caller> {
  const [clinic] = await createClinics(bench.service, 1, professionals);
  if (clinic === undefined) throw new Error('no clinic');
  const { apiUrl } = await bench.service.running();
  return bench.resources.adopt(createCaller(apiUrl, clinic, CONNECTIONS), (open) => open.close());
}

/** A warm-up and then so many seconds of bookings; latencies, use of the processors and losses. */
export async function steadyLoad(bench: Bench, caller: Caller, rate: number, seconds: number): Promise<Row> {
  const cause = booking(caller);
  const warmUp = new Ledger(bench.receiver);
  await openLoop(warmUp, cause, rate, rate * WARM_UP_SECONDS);
  await warmUp.untilArrived(ARRIVAL_LIMIT_MS);
  const ledger = new Ledger(bench.receiver);
  const read = await meter(bench.service);
  await openLoop(ledger, cause, rate, rate * seconds);
  const { serviceBusy, machineBusy } = await read();
  await ledger.untilArrived(ARRIVAL_LIMIT_MS);
  return {
    ...latencyColumns(ledger.latenciesMs()),
    'busy %': serviceBusy,
    'machine busy %': machineBusy,
    ...cpuEach(await read(), ledger.asked),
    ...ledger.losses(),
  };
}
