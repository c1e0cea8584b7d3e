import { booking, createEndpoint, expectJson, type Caller } from '../load/caller.ts';
import { Ledger } from '../load/ledger.ts';
import { openLoop } from '../load/pace.ts';
import { startReceiver, type Receiver } from '../receiver/start-receiver.ts';
import { latencyColumns, percentile } from '../report/percentile.ts';
import type { Bench, Scenario, Table } from '../scenario.ts';
import { callerWithEndpoint } from './open-loop.ts';

const PER_SECOND = 25;
const ARRIVAL_LIMIT_MS = 120_000;

export const hangingReceiver: Scenario = {
  name: 'hanging-receiver',
  title: 'A receiver that hangs',
  about:
    'Fifty deliveries a second, half of them to an endpoint (on another host) that never answers: in the same clinic and in ' +
    'another one. The latencies are the healthy endpoint’s, with that endpoint switched off and on.',
  async prepare(bench) {
    const silent = bench.resources.adopt(await startReceiver(bench.service, '127.0.0.1'), (each) =>
      each.stop(),
    );
    const [same, healthy, other] = [
      await callerWithEndpoint(bench, '/hook'),
      await callerWithEndpoint(bench, '/hook'),
      await callerWithEndpoint(bench, '/ignored'),
    ];
    const inSame = await createEndpoint(same, silent.url('/hang'));
    const { items } = await expectJson<{ items: { id: string }[] }>(
      other.send('GET', '/v1/webhook-endpoints'),
    );
    for (const { id } of items) await switchEndpoint(other, id, false);
    const inOther = await createEndpoint(other, silent.url('/hang'));
    return [
      {
        round: () =>
          withAndWithout(bench, 'same clinic', [same], { receiver: silent, caller: same, id: inSame }),
      },
      {
        round: () =>
          withAndWithout(bench, 'another clinic', [healthy, other], {
            receiver: silent,
            caller: other,
            id: inOther,
          }),
      },
    ];
  },
};

interface Hanging {
  receiver: Receiver;
  caller: Caller;
  id: string;
}

/** The first of the callers has the healthy endpoint. */
async function withAndWithout(
  bench: Bench,
  place: string,
  callers: Caller[],
  hanging: Hanging,
): Promise<Table> {
  await switchEndpoint(hanging.caller, hanging.id, false);
  const without = await load(bench, callers, hanging.receiver);
  await switchEndpoint(hanging.caller, hanging.id, true);
  const beside = await load(bench, callers, hanging.receiver);
  await switchEndpoint(hanging.caller, hanging.id, false);
  const p99 = (ledger: Ledger) => percentile(ledger.latenciesMs(), 0.99);
  return {
    [`${place}, without`]: { ...latencyColumns(without.latenciesMs()), ...without.losses() },
    [`${place}, with`]: {
      ...latencyColumns(beside.latenciesMs()),
      ...beside.losses(),
      'p99, of without': p99(beside) / p99(without),
    },
  };
}

async function load(bench: Bench, callers: Caller[], silent: Receiver): Promise<Ledger> {
  const seconds = bench.size(30, 8);
  const mine = new Ledger(bench.receiver);
  await Promise.all(
    callers.map((caller, index) =>
      openLoop(index === 0 ? mine : new Ledger(silent), booking(caller), PER_SECOND, PER_SECOND * seconds),
    ),
  );
  await mine.untilArrived(ARRIVAL_LIMIT_MS);
  return mine;
}

async function switchEndpoint(caller: Caller, id: string, enabled: boolean): Promise<void> {
  await expectJson(caller.send('PATCH', `/v1/webhook-endpoints/${id}`, { enabled }));
}
