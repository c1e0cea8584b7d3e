import { createCaller, expectJson, type Caller } from '../load/caller.ts';
import { evenly } from '../load/pace.ts';
import { monotonicMs } from '../monotonic.ts';
import { percentile } from '../report/percentile.ts';
import type { Bench, Row, Scenario } from '../scenario.ts';
import { slotsOf, type NextSlot } from '../service/clinics.ts';
import { callerOfNewClinic } from './open-loop.ts';

const ITEMS = 500;
const BOOKINGS_A_SECOND = 20;
const WARM_UP_SECONDS = 3;
const DAY_MS = 86_400_000;

export const importScenario: Scenario = {
  name: 'import',
  title: 'A practice’s history comes in',
  about:
    'Visits of past years, 500 a request, one request after the other, beside 20 bookings a second of the same clinic with the same ' +
    'professionals; and the same bookings alone, before it. A booking’s latency runs from when it was due to its answer.',
  environment: {},
  async prepare(bench) {
    const booking = await callerOfNewClinic(bench, 20);
    const importing = bench.resources.adopt(await secondCaller(bench, booking), (open) => open.close());
    const past = slotsOf(booking.clinic.professionals, new Date(Date.now() - 3000 * DAY_MS));
    await bookEvenly(booking, WARM_UP_SECONDS);
    await importUntil(importing, past, () => false);
    const seconds = bench.size(40, 10);
    return [
      { round: async () => ({ 'bookings alone': latencies(await bookEvenly(booking, seconds)) }) },
      {
        round: async () => {
          const load = new AbortController();
          const bookings = bookEvenly(booking, seconds).finally(() => load.abort());
          const visitsASecond = await importUntil(importing, past, () => !load.signal.aborted);
          return {
            'bookings beside an import': latencies(await bookings),
            'the import': { 'visits a second': visitsASecond },
          };
        },
      },
    ];
  },
};

/** A connection of its own, so that bookings do not queue behind imports on the way. */
async function secondCaller(bench: Bench, { clinic }: Caller): Promise<Caller> {
  const { apiUrl } = await bench.service.running();
  return createCaller(apiUrl, clinic, 1);
}

interface Bookings {
  latenciesMs: number[];
  failed: number;
}

async function bookEvenly(caller: Caller, seconds: number): Promise<Bookings> {
  const latenciesMs: number[] = [];
  let failed = 0;
  await evenly(BOOKINGS_A_SECOND, BOOKINGS_A_SECOND * seconds, async (dueAt) => {
    const { status } = await caller.send('POST', '/v1/appointments', caller.nextBooking());
    latenciesMs.push(monotonicMs() - dueAt);
    if (status !== 201) failed += 1;
  });
  return { latenciesMs, failed };
}

function latencies({ latenciesMs, failed }: Bookings): Row {
  return {
    'p50 ms': percentile(latenciesMs, 0.5),
    'p95 ms': percentile(latenciesMs, 0.95),
    'p99 ms': percentile(latenciesMs, 0.99),
    bookings: latenciesMs.length,
    'failed requests': failed,
  };
}

/** At least one request. @returns visits that came in a second */
async function importUntil(caller: Caller, past: NextSlot, goesOn: () => boolean): Promise<number> {
  const begun = monotonicMs();
  let created = 0;
  do {
    const items = Array.from({ length: ITEMS }, () => visitAt(caller, past));
    const answer = await expectJson<{ items: { result: string }[] }>(
      caller.send('POST', '/v1/appointments/import', { items }),
    );
    created += answer.items.filter(({ result }) => result === 'created').length;
  } while (goesOn());
  return (1000 * created) / (monotonicMs() - begun);
}

function visitAt({ clinic }: Caller, past: NextSlot) {
  const slot = past();
  return {
    ...slot,
    externalId: `${slot.professionalId} ${slot.startsAt}`,
    serviceTypeId: clinic.service,
    status: 'attended',
    patientName: 'Bench Patient',
    patientPhone: '+351910000000',
  };
}
