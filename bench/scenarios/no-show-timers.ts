import { createCaller, createEndpoint } from '../load/caller.ts';
import { inParallel } from '../load/pace.ts';
import type { Arrival } from '../receiver/start-receiver.ts';
import { percentile } from '../report/percentile.ts';
import type { Bench, Row, Scenario } from '../scenario.ts';
import { createClinics, slotsOf, type Clinic } from '../service/clinics.ts';
import { patiently } from '../until.ts';

const TIMERS = 500;
const PUBLISHERS = 16;
const GRACE_MS = 1_800_000;
const LIMIT_MS = 180_000;

export const noShowTimers: Scenario = {
  name: 'no-show-timers',
  title: 'No-shows due in the same second',
  about:
    `${TIMERS} appointments, one a professional, whose grace of 30 minutes ends at the same moment. Late: from that moment to ` +
    'the time the no-show is recorded with, and to the last byte of its event.',
  async prepare(bench) {
    const [clinic] = await createClinics(bench.service, 1, TIMERS);
    if (clinic === undefined) throw new Error('no clinic');
    const { apiUrl } = await bench.service.running();
    await using setUp = new AsyncDisposableStack();
    const caller = setUp.adopt(createCaller(apiUrl, clinic, 1), (open) => open.close());
    await createEndpoint(caller, bench.receiver.url(), ['appointment.no_show']);
    return [{ round: async () => ({ [`${TIMERS} timers`]: await dueTogether(bench, clinic, apiUrl) }) }];
  },
};

async function dueTogether(bench: Bench, clinic: Clinic, apiUrl: string): Promise<Row> {
  // Enough to book them and to start their workflows at an old version's pace.
  const leadMs = bench.size(90_000, 60_000);
  const dueAt = new Date(Math.ceil((Date.now() + leadMs) / 60_000) * 60_000);
  const startsAt = new Date(dueAt.getTime() - GRACE_MS);
  const atOnce = { ...clinic, nextSlot: slotsOf(clinic.professionals, startsAt) };
  await using caller = Object.assign(createCaller(apiUrl, atOnce, PUBLISHERS), {
    [Symbol.asyncDispose]: () => caller.close(),
  });
  let [left, failed] = [TIMERS, 0];
  await inParallel(PUBLISHERS, async () => {
    while (left > 0) {
      left -= 1;
      const { status } = await caller.send('POST', '/v1/appointments', caller.nextBooking());
      if (status !== 201) failed += 1;
    }
  });
  const [clockAhead, arrivals] = [Date.now() - Number(process.hrtime.bigint()) / 1e6, new Array<Arrival>()];
  await patiently(async () => {
    arrivals.push(...(await bench.receiver.take()));
    return arrivals.length >= TIMERS - failed;
  }, leadMs + LIMIT_MS);
  const recorded = arrivals.map(({ createdAt }) => Date.parse(createdAt) - dueAt.getTime());
  const arrived = arrivals.map(({ at }) => at + clockAhead - dueAt.getTime());
  const events = new Set(arrivals.map(({ eventId }) => eventId)).size;
  return {
    early: recorded.filter((ms) => ms < 0).length,
    'first recorded ms late': Math.min(...recorded),
    'median recorded s late': percentile(recorded, 0.5) / 1000,
    'last recorded s late': Math.max(...recorded) / 1000,
    'last delivered s late': Math.max(...arrived) / 1000,
    lost: TIMERS - failed - events,
    twice: arrivals.length - events,
    'failed requests': failed,
  };
}
