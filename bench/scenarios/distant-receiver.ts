import { createCrowd } from '../load/crowd.ts';
import type { Scenario } from '../scenario.ts';
import { drain } from './burst.ts';
import { callerWithEndpoint, steadyLoad } from './open-loop.ts';

const PATH = '/late/100';

export const distantReceiver: Scenario = {
  name: 'distant-receiver',
  title: 'A receiver 100 ms away',
  about:
    'It answers 100 ms after the last byte of each event. Latencies are to that byte, so without the 100 ms.',
  async prepare(bench) {
    const caller = await callerWithEndpoint(bench, PATH);
    const crowd = await createCrowd(bench, 1, PATH);
    const steady = (rate: number) => ({
      round: async () => ({ [`${rate}/s`]: await steadyLoad(bench, caller, rate, bench.size(20, 8)) }),
    });
    return [
      steady(50),
      steady(200),
      { round: async () => ({ drain: await drain(bench, crowd, bench.size(5_000, 300)) }) },
    ];
  },
};
