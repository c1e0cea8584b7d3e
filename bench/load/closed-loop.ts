import { inParallel } from './pace.ts';

export interface ClosedLoop {
  perSecond: number;
  latenciesMs: number[];
}

/** So many clients, each asking again as soon as it is answered, for so long. */
export async function closedLoop(
  clients: number,
  durationMs: number,
  ask: () => Promise<unknown>,
): Promise<ClosedLoop> {
  const latenciesMs: number[] = [];
  const begun = performance.now();
  await inParallel(clients, async () => {
    while (performance.now() - begun < durationMs) {
      const at = performance.now();
      await ask();
      latenciesMs.push(performance.now() - at);
    }
  });
  return { perSecond: (1000 * latenciesMs.length) / (performance.now() - begun), latenciesMs };
}
