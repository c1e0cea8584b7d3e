import { booking, createEndpoint, expectJson, type Caller } from '../load/caller.ts';
import { Ledger } from '../load/ledger.ts';
import { openLoop } from '../load/pace.ts';
import { startReceiver, type Receiver } from '../receiver/start-receiver.ts';
import { latencyColumns, percentile } from '../report/percentile.ts';
import type { Bench, Scenario, Stage, Table } from '../scenario.ts';
import { callerOfNewClinic, callerWithEndpoint } from './open-loop.ts';

const PER_SECOND = 25;
const ARRIVAL_LIMIT_MS = 120_000;
const HEALTHY_PATH = '/hook';

export const hangingReceiver: Scenario = {
  name: 'hanging-receiver',
  title: 'A receiver that hangs',
  about:
    'Fifty deliveries a second, half of them to an endpoint that never answers: on another host, and on the same host, where it ' +
    'answers at once for a third of the time before; in the same clinic and in another one. The latencies are the healthy ' +
    'endpoint’s over the whole time, without that endpoint and with it.',
  async prepare(bench) {
    const silent = bench.resources.adopt(await startReceiver(bench.service, '127.0.0.1'), (each) =>
      each.stop(),
    );
    const [same, healthy, other] = [
      await callerWithEndpoint(bench, HEALTHY_PATH),
      await callerWithEndpoint(bench, HEALTHY_PATH),
      await callerOfNewClinic(bench, 20),
    ];
    const elsewhere = () => silent.url('/hang');
    const onSameHost = turningUrls(bench);
    const stage = (name: string, callers: [Caller, ...Caller[]], hangingUrl: () => string): Stage => ({
      round: () => withAndWithout(bench, { name, callers, hangingUrl, silent }),
    });
    return [
      stage('same clinic', [same], elsewhere),
      stage('another clinic', [healthy, other], elsewhere),
      stage('same clinic and host', [same], onSameHost),
      stage('another clinic, same host', [healthy, other], onSameHost),
    ];
  },
};

interface Place {
  name: string;
  /** The first has the healthy endpoint, the last the one that hangs. */
  callers: Caller[];
  hangingUrl: () => string;
  /** Where what is not measured is expected. */
  silent: Receiver;
}

/** Each its own, which answers at once for a third of the load and then never. */
function turningUrls(bench: Bench): () => string {
  let made = 0;
  return () => {
    made += 1;
    return bench.receiver.url(`/then-hang/${Math.round((PER_SECOND * seconds(bench)) / 3)}/${made}`);
  };
}

function seconds(bench: Bench): number {
  // So long that the first time-outs come within it.
  return bench.size(45, 24);
}

async function withAndWithout(bench: Bench, place: Place): Promise<Table> {
  const without = await load(bench, place);
  const last = place.callers.at(-1);
  if (last === undefined) throw new Error('no one calls');
  const id = await createEndpoint(last, place.hangingUrl());
  const beside = await load(bench, place);
  await expectJson(last.send('DELETE', `/v1/webhook-endpoints/${id}`));
  const p99 = (ledger: Ledger) => percentile(ledger.latenciesMs(), 0.99);
  return {
    [`${place.name}, without`]: { ...latencyColumns(without.latenciesMs()), ...without.losses() },
    [`${place.name}, with`]: {
      ...latencyColumns(beside.latenciesMs()),
      ...beside.losses(),
      'p99, of without': p99(beside) / p99(without),
    },
  };
}

async function load(bench: Bench, { callers, silent }: Place): Promise<Ledger> {
  const mine = new Ledger(bench.receiver, HEALTHY_PATH);
  await Promise.all(
    callers.map((caller, index) =>
      openLoop(
        index === 0 ? mine : new Ledger(silent),
        booking(caller),
        PER_SECOND,
        PER_SECOND * seconds(bench),
      ),
    ),
  );
  await mine.untilArrived(ARRIVAL_LIMIT_MS);
  return mine;
}
