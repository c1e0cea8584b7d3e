import { createCrowd } from '../load/crowd.ts';
import type { Scenario } from '../scenario.ts';
import { drain } from './burst.ts';
import { callerWithEndpoint, steadyLoad } from './open-loop.ts';

const PATH = '/late/100';
const CLINICS = 20;

export const distantReceiver: Scenario = {
  name: 'distant-receiver',
  title: 'A receiver 100 ms away',
  about:
    'It answers 100 ms after the last byte of each event. Latencies are to that byte, so without the 100 ms. The clinics of a ' +
    'drain have an endpoint each, all of them at one host.',
  async prepare(bench) {
    const caller = await callerWithEndpoint(bench, PATH);
    const [one, many] = [await createCrowd(bench, 1, PATH), await createCrowd(bench, CLINICS, PATH)];
    const steady = (rate: number) => ({
      round: async () => ({ [`${rate}/s`]: await steadyLoad(bench, caller, rate, bench.size(20, 8)) }),
    });
    return [
      steady(50),
      steady(200),
      { round: async () => ({ drain: await drain(bench, one, bench.size(5_000, 300)) }) },
      {
        round: async () => ({
          [`drain, ${CLINICS} clinics`]: await drain(bench, many, bench.size(10_000, 3_000)),
        }),
      },
    ];
  },
};
