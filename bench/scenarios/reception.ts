import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { booking, expectJson, type Answer, type Caller } from '../load/caller.ts';
import { Ledger } from '../load/ledger.ts';
import { inParallel, openLoop } from '../load/pace.ts';
import { latencyColumns, percentile } from '../report/percentile.ts';
import type { Bench, Row, Scenario, Table } from '../scenario.ts';
import { fillCalendar } from '../service/fill-calendar.ts';
import { cpuEach, meter } from '../service/processes.ts';
import { callerOfNewClinic, callerWithEndpoint } from './open-loop.ts';
import { stillTheRest } from './http.ts';

const CALLS = 50;
const THINKS_MS = 1_000;
const WEBHOOKS_PER_SECOND = 50;
const ARRIVAL_LIMIT_MS = 180_000;
const DAY_MS = 86_400_000;
/** Of the calendar, in which two of three places are taken. */
const DAYS_AHEAD = 25;
const TURNS = 6;
/** Of a turn: fewer than a key may hold at once. */
const EACH = 150;

export const reception: Scenario = {
  name: 'reception',
  title: 'Fifty calls at once',
  about:
    `${CALLS} calls begin with the briefing, search for a time, hold it and book it, each ${THINKS_MS / 1000} s after the answer before, in a clinic with ten professionals and ` +
    `100,000 appointments, beside ${WEBHOOKS_PER_SECOND} webhooks a second of other clinics. Taken: held or booked by another call meanwhile, and asked again. ` +
    'Then holds and bookings of free times in turn, one at a time, both within the hours, while worker and Temporal stand still.',
  environment: {},
  async prepare(bench) {
    const [caller, others] = [await callerOfNewClinic(bench, 10), await callerWithEndpoint(bench, '/hook')];
    await fillCalendar(bench.service, caller, bench.size(100_000, 10_000));
    const alone = await callerOfNewClinic(bench, 20);
    return [
      { round: () => besideWebhooks(bench, caller, others) },
      { leavesRest: true, round: async () => ({ 'one at a time': await holdsAndBookings(bench, alone) }) },
    ];
  },
};

/** What became of one step in all calls. */
interface Step {
  latenciesMs: number[];
  taken: number;
  failed: number;
}

async function besideWebhooks(bench: Bench, caller: Caller, others: Caller): Promise<Table> {
  const seconds = bench.size(30, 10);
  const ledger = new Ledger(bench.receiver);
  const [steps] = await Promise.all([
    callsFor(caller, 1000 * seconds),
    openLoop(ledger, booking(others), WEBHOOKS_PER_SECOND, WEBHOOKS_PER_SECOND * seconds),
  ]);
  await ledger.untilArrived(ARRIVAL_LIMIT_MS);
  return {
    ...Object.fromEntries(Object.entries(steps).map(([name, step]) => [name, rowOf(step)])),
    'webhooks beside': { ...latencyColumns(ledger.latenciesMs()), ...ledger.losses() },
  };
}

function rowOf({ latenciesMs, taken, failed }: Step): Row {
  return { ...latencyColumns(latenciesMs), requests: latenciesMs.length, taken, 'failed requests': failed };
}

async function callsFor(caller: Caller, durationMs: number): Promise<Record<string, Step>> {
  const step = (): Step => ({ latenciesMs: [], taken: 0, failed: 0 });
  const steps = { briefing: step(), search: step(), hold: step(), book: step() };
  const until = performance.now() + durationMs;
  await inParallel(CALLS, async () => {
    await pause(THINKS_MS * Math.random());
    while (performance.now() < until) await oneCall(caller, steps);
  });
  return steps;
}

async function oneCall(caller: Caller, steps: Record<'briefing' | 'search' | 'hold' | 'book', Step>) {
  const { briefing, search, hold, book } = steps;
  const { service: serviceTypeId } = caller.clinic;
  const call = `/v1/calls/${crypto.randomUUID()}`;
  const patientPhone = `+35191${String(randomInt(10_000_000)).padStart(7, '0')}`;
  await expectJson(
    caller.send('PUT', call, { fromNumber: patientPhone, toNumber: '+351210000000', startedAt: new Date() }),
  );
  await timed(briefing, () => caller.send('GET', `${call}/briefing`));
  await pause(THINKS_MS);
  const from = new Date(Date.now() + DAYS_AHEAD * DAY_MS * Math.random());
  const found = await timed(search, () =>
    caller.send('POST', '/v1/availability/search', { serviceTypeId, from, limit: 3 }),
  );
  const [slot] = (JSON.parse(found.text) as { items?: Slot[] }).items ?? [];
  if (!slot) return;
  const { professionalId, startsAt } = slot;
  const wanted = { serviceTypeId, professionalId, startsAt };
  await pause(THINKS_MS);
  const held = await timed(hold, () => caller.send('POST', '/v1/slot-holds', wanted));
  if (held.status !== 201) return;
  await pause(THINKS_MS);
  const { id: holdId } = JSON.parse(held.text) as { id: string };
  const patient = { patientName: `Patient ${holdId}`, patientPhone };
  await timed(book, () =>
    caller.send('POST', '/v1/appointments', { ...wanted, ...patient, holdId }, crypto.randomUUID()),
  );
  await pause(THINKS_MS);
}

interface Slot {
  professionalId: string;
  startsAt: string;
}

async function timed(step: Step, ask: () => Promise<Answer>): Promise<Answer> {
  const at = performance.now();
  const answer = await ask();
  step.latenciesMs.push(performance.now() - at);
  if (answer.status === 409) step.taken += 1;
  else if (answer.status < 200 || answer.status > 299) step.failed += 1;
  return answer;
}

/** The first turn is the warm-up. Short turns, because other work on the machine comes and goes. */
async function holdsAndBookings(bench: Bench, caller: Caller): Promise<Row> {
  const [holds, bookings] = [new Turns(), new Turns()];
  await stillTheRest(bench, 'SIGSTOP');
  try {
    for (let turn = 0; turn <= TURNS; turn += 1) {
      await bookings.take(bench, turn > 0, async () =>
        caller.send('POST', '/v1/appointments', { ...caller.nextBooking(), respectHours: true }),
      );
      await holds.take(bench, turn > 0, async () => {
        const { professionalId, serviceTypeId, startsAt } = caller.nextBooking();
        return caller.send('POST', '/v1/slot-holds', { professionalId, serviceTypeId, startsAt });
      });
      await bench.service.sql.query(
        `UPDATE calendar_entry SET blocks = false WHERE status = 'held' AND tenant_id = $1`,
        [caller.clinic.tenantId],
      );
    }
  } finally {
    await stillTheRest(bench, 'SIGCONT');
  }
  const [hold, one] = [holds.figures(), bookings.figures()];
  return {
    'hold p50 ms': hold.p50,
    'booking p50 ms': one.p50,
    'hold of booking': hold.p50 / one.p50,
    'hold CPU ms': hold.cpuMs,
    'booking CPU ms': one.cpuMs,
    'CPU, hold of booking': hold.cpuMs / one.cpuMs,
    'failed requests': holds.failed + bookings.failed,
  };
}

/** Requests of one kind, one at a time, in turn with another kind. */
class Turns {
  #latenciesMs: number[] = [];
  #cpuMs = 0;
  failed = 0;

  async take(bench: Bench, counts: boolean, ask: () => Promise<Answer>): Promise<void> {
    const read = await meter(bench.service);
    const latenciesMs: number[] = [];
    for (let asked = 0; asked < EACH; asked += 1) {
      const at = performance.now();
      const { status } = await ask();
      latenciesMs.push(performance.now() - at);
      if (status !== 201) this.failed += 1;
    }
    const { 'CPU ms': cpuMs } = cpuEach(await read(), 1);
    if (!counts) return;
    this.#latenciesMs.push(...latenciesMs);
    this.#cpuMs += cpuMs;
  }

  figures() {
    return { p50: percentile(this.#latenciesMs, 0.5), cpuMs: this.#cpuMs / this.#latenciesMs.length };
  }
}
