import { evenly } from '../../bench/load/pace.ts';
import { monotonicMs } from '../../bench/monotonic.ts';
import { send } from './target.ts';

export interface ControlOrder {
  apiUrl: string;
  keys: string[];
  perSecond: number;
  count: number;
}

export interface ControlCounts {
  /** From when a request was due to its answer. */
  ms: number[];
  /** What was answered in place of 200; 0: no answer. */
  refusals: number[];
}

/** Not the address of the attackers, which share a limit of connections. */
const FROM = '127.1.0.1';

/** In a process of its own, so that the work of attacking is not measured as slowness of the service. */
process.on('message', ({ apiUrl, keys, perSecond, count }: ControlOrder) => {
  const counts: ControlCounts = { ms: [], refusals: [] };
  let turn = 0;
  const asked = evenly(perSecond, count, async (dueAt) => {
    turn += 1;
    const sent = { key: keys[turn % keys.length], from: FROM };
    const { status } = await send(apiUrl, 'GET', '/v1/api-keys/me', sent);
    counts.ms.push(monotonicMs() - dueAt);
    if (status !== 200) counts.refusals.push(status);
  });
  void asked.then(() => process.send?.(counts));
});
