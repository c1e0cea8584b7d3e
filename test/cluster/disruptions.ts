import { performance } from 'node:perf_hooks';
import { evenly } from '../../bench/load/pace.ts';
import { requireThat, since } from '../containers/trial.ts';
import { until } from '../support/until.ts';
import type { ClusterTrial } from './checks.ts';

const PER_SECOND = 20;
/** The five seconds for which it fails its readiness first, and what its pod is given for all. */
const LEAVES_AFTER_SECONDS = 5;
const GRACE_SECONDS = 45;

interface Pod {
  metadata: { name: string; deletionTimestamp?: string };
}

interface Deployment extends Pod {
  status: { availableReplicas: number };
}

const PROCESSES = ['api', 'worker', 'dashboard'];

/** An update with a changed value: a new pod is ready before an old one ends. */
export async function update(trial: ClusterTrial): Promise<void> {
  const path = '{.status.replicas} {.status.availableReplicas}';
  await using seen = trial.release.watch('deployment/clinic-api', path);
  await underBookings(trial, 'update', () => trial.release.upgrade('variables.LOG_LEVEL=warn'));
  const states = seen.lines.map((line) => line.split(' ').map(Number));
  const most = Math.max(...states.map(([replicas = 0]) => replicas));
  const fewest = Math.min(...states.map(([, available = 0]) => available));
  trial.tell(`pods of the API meanwhile: ${most} at most, ${fewest} available at least`);
  requireThat(most === 3 && fewest === 2, `not one by one: ${seen.lines.join('; ')}`);
}

/** One pod is told to end: it goes on until no one sends it anything, and ends with 0. */
export async function deletion(trial: ClusterTrial): Promise<void> {
  await underBookings(trial, 'deletion', async () => {
    for (const process of PROCESSES) await deleteOne(trial, process);
  });
}

async function deleteOne({ release, tell }: ClusterTrial, process: string): Promise<void> {
  const pods = await release.get<Pod>('pods', '--selector', `app.kubernetes.io/component=${process}`);
  const pod = pods.find(({ metadata }) => metadata.deletionTimestamp === undefined);
  const name = pod?.metadata.name ?? 'none';
  await using ended = release.watch(
    `pod/${name}`,
    '{.status.containerStatuses[0].state.terminated.exitCode}',
  );
  const begun = performance.now();
  await release.kubectl('delete', 'pod', name);
  const seconds = Number(since(begun));
  await until('its exit code', () => ended.lines.length > 0);
  tell(`a pod of ${process} deleted: ended with ${ended.lines.at(-1)} after ${seconds} s`);
  requireThat(ended.lines.at(-1) === '0', `${name} did not end with 0`);
  requireThat(seconds < GRACE_SECONDS, `${name} was killed`);
  requireThat(process === 'worker' || seconds > LEAVES_AFTER_SECONDS, `${name} did not stay to serve`);
  await release.kubectl('rollout', 'status', `deployment/clinic-${process}`);
}

/** The node is drained, and has no other to give its pods to: one pod of each kind goes, and the other stays. */
export async function eviction(trial: ClusterTrial): Promise<void> {
  const { release, tell } = trial;
  await underBookings(trial, 'drain', async () => {
    const flags = [
      '--pod-selector=app.kubernetes.io/instance=clinic',
      '--delete-emptydir-data',
      '--timeout=20s',
    ];
    const refusal = await release.kubectl('drain', 'node', ...flags).then(
      () => 'nothing',
      (error: Error) => error.message,
    );
    requireThat(refusal.includes("violate the pod's disruption budget"), `drain: ${refusal}`);
    for (const { metadata, status } of await release.get<Deployment>('deployments')) {
      tell(`drained, and ${metadata.name} has ${status.availableReplicas} pod left`);
      requireThat(status.availableReplicas === 1, `${metadata.name} has ${status.availableReplicas}`);
    }
    await release.kubectl('uncordon', 'node');
    for (const process of PROCESSES)
      await release.kubectl('rollout', 'status', `deployment/clinic-${process}`);
  });
}

/** Books at an even pace as long as something goes on; no request is refused, and each booking has one event. */
async function underBookings(
  { clinic, tell }: ClusterTrial,
  name: string,
  act: () => Promise<void>,
): Promise<void> {
  const answers = new Map<number | string, number>();
  const over = new AbortController();
  const load = evenly(PER_SECOND, Number.MAX_SAFE_INTEGER, book, over.signal);
  async function book(): Promise<void> {
    const status = await clinic.book();
    answers.set(status, (answers.get(status) ?? 0) + 1);
  }
  const begun = performance.now();
  await act().finally(() => over.abort());
  await load;
  tell(
    `${name}, ${since(begun)} s under ${PER_SECOND} bookings a second: ${JSON.stringify(Object.fromEntries(answers))}`,
  );
  requireThat([...answers.keys()].join() === '201', 'a booking was refused');
  const ids = () =>
    new Set(clinic.receiver.requests.map(({ body }) => (JSON.parse(body) as { id: string }).id));
  await until('every event', () => ids().size >= clinic.booked());
  requireThat(ids().size === clinic.booked(), `${ids().size} events of ${clinic.booked()} bookings`);
  requireThat(
    clinic.verifiedEvents().length === clinic.receiver.requests.length,
    'a signature does not hold',
  );
  tell(`  told of: ${ids().size} events, each verified`);
}
