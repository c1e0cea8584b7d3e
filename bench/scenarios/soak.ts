import { setTimeout as pause } from 'node:timers/promises';
import { createCaller, createEndpoint } from '../load/caller.ts';
import { Ledger } from '../load/ledger.ts';
import { evenly } from '../load/pace.ts';
import { createReception, type Asked } from '../load/reception.ts';
import { median } from '../report/percentile.ts';
import type { Bench, Scenario, Stage, Table } from '../scenario.ts';
import { createClinics, slotsOf } from '../service/clinics.ts';
import { meter, residentMegabytes } from '../service/processes.ts';

const CLINICS = 10;
const REQUESTS_PER_SECOND = 10;
/** The first two are the time in which a process comes to its size: ten minutes of an hour. */
const SPANS = 12;
const GROWING_SPANS = 2;
const SAMPLE_EVERY_MS = 5_000;
const ARRIVAL_LIMIT_MS = 180_000;
/** Booked so long after its time a visit becomes a no-show within the next minutes. */
const MISSED_MS = 25 * 60_000;

type Part = 'api' | 'worker';

export const soak: Scenario = {
  name: 'soak',
  title: 'Mixed load for long',
  about:
    `${CLINICS} clinics book, change, cancel, record calls and read, ${REQUESTS_PER_SECOND} requests a second in all, for an hour or ` +
    'what --minutes says; the receiver of one fails first attempts. Resident memory, sampled every five seconds: median and most of ' +
    'each twelfth of the time, then how far the medians stand from that of the second twelfth.',
  isLong: true,
  environment: {},
  async prepare(bench) {
    const load = await mixedLoad(bench);
    const spanSeconds = (60 * bench.minutes) / SPANS;
    const medians: Record<Part, number[]> = { api: [], worker: [] };
    return Array.from({ length: SPANS }, (_, index): Stage => ({
      leavesRest: true,
      isOnce: true,
      async round() {
        const minute = ((index + 1) * bench.minutes) / SPANS;
        const table = { [`minute ${Number(minute.toFixed(1))}`]: await load.span(spanSeconds, medians) };
        return index < SPANS - 1
          ? table
          : { ...table, afterwards: { ...spread(medians), ...(await load.end()) } };
      },
    }));
  },
};

async function mixedLoad(bench: Bench) {
  const { apiUrl } = await bench.service.running();
  const ledger = new Ledger(bench.receiver);
  const asked: Asked = { requests: 0, failed: 0 };
  const receptions: ReturnType<typeof createReception>[] = [];
  for (const [index, clinic] of (await createClinics(bench.service, CLINICS, 20)).entries()) {
    const ownSlots = { ...clinic, nextSlot: slotsOf(clinic.professionals, new Date(Date.now() - MISSED_MS)) };
    const caller = bench.resources.adopt(createCaller(apiUrl, ownSlots, 4), (open) => open.close());
    await createEndpoint(caller, bench.receiver.url(index === 0 ? '/flaky' : '/hook'));
    receptions.push(createReception(caller, ledger, asked));
  }
  let turn = 0;
  return {
    async span(seconds: number, medians: Record<Part, number[]>) {
      const [before, read, sampling] = [asked.requests, await meter(bench.service), sampleMemory(bench)];
      await evenly(REQUESTS_PER_SECOND, Math.round(REQUESTS_PER_SECOND * seconds), async (dueAt) => {
        turn += 1;
        await receptions[turn % receptions.length]?.(dueAt);
      });
      const samples = await sampling.end();
      for (const part of ['api', 'worker'] as const) medians[part].push(median(samples[part]));
      await ledger.untilArrived(0);
      return {
        'api MB': median(samples.api),
        'api most MB': Math.max(...samples.api),
        'worker MB': median(samples.worker),
        'worker most MB': Math.max(...samples.worker),
        requests: asked.requests - before,
        'busy %': (await read()).serviceBusy,
      };
    },
    async end() {
      await ledger.untilArrived(ARRIVAL_LIMIT_MS);
      const losses = ledger.losses();
      return {
        requests: asked.requests,
        ...losses,
        'failed requests': losses['failed requests'] + asked.failed,
      };
    },
  };
}

function sampleMemory(bench: Bench) {
  const samples: Record<Part, number[]> = { api: [], worker: [] };
  const ending = new AbortController();
  const running = (async () => {
    while (!ending.signal.aborted) {
      const { api, worker } = await residentMegabytes(bench.service);
      samples.api.push(api);
      samples.worker.push(worker);
      await pause(SAMPLE_EVERY_MS, undefined, { signal: ending.signal }).catch(() => undefined);
    }
  })();
  return {
    async end() {
      ending.abort();
      await running;
      return samples;
    },
  };
}

/** In percent of the median at the end of the growing. */
function spread(medians: Record<Part, number[]>): Table[string] {
  const columns = Object.entries(medians).flatMap(([part, all]) => {
    const [base = Number.NaN, ...later] = all.slice(GROWING_SPANS - 1);
    const percent = (value: number) => 100 * (value / base - 1);
    return [
      [`${part} least %`, percent(Math.min(...later))],
      [`${part} most %`, percent(Math.max(...later))],
    ] as const;
  });
  return Object.fromEntries(columns);
}
