import { performance } from 'node:perf_hooks';
import type { ClinicInContainers } from '../containers/clinic-in-containers.ts';
import { requireThat, since, type Tell } from '../containers/trial.ts';
import { until } from '../support/until.ts';
import type { Release } from './release.ts';

/** What a check is given. */
export interface ClusterTrial {
  release: Release;
  clinic: ClinicInContainers;
  tell: Tell;
}

interface Made {
  kind: string;
  metadata: { name: string; creationTimestamp: string };
}

interface KubernetesEvent extends Made {
  reason: string;
  lastTimestamp: string;
  involvedObject: { name: string };
}

interface Autoscaler extends Made {
  status: { currentReplicas: number; conditions: { type: string; status: string; reason: string }[] };
}

const JOBS = ['clinic-logins', 'clinic-migrate', 'clinic-temporal-setup'];

/** The jobs have ended well before anything else is there, and `doctor` finds nothing. */
export async function installs(release: Release, tell: Tell): Promise<void> {
  const begun = performance.now();
  await release.upgrade();
  tell(`installed, with every pod ready: ${since(begun)} s`);
  const events = await release.get<KubernetesEvent>('events');
  const ended = JOBS.map((job) => events.find((event) => hasCompleted(event, job))?.lastTimestamp ?? 'never');
  const deployments = await release.get<Made>('deployments');
  const [first = ''] = deployments.map(({ metadata }) => metadata.creationTimestamp).toSorted();
  tell(`jobs ended ${ended.join(' and ')}, the first deployment was made ${first}`);
  requireThat(
    ended.every((time) => time <= first),
    'deployments did not wait for the jobs',
  );
  const { ok, checks } = (await release.admin('doctor')) as {
    ok: boolean;
    checks: { name: string; ok: boolean }[];
  };
  requireThat(ok, `doctor: ${JSON.stringify(checks.filter((check) => !check.ok))}`);
  tell(`doctor: all ${checks.length} checks are well`);
}

function hasCompleted({ involvedObject, reason }: KubernetesEvent, job: string): boolean {
  return involvedObject.name === job && reason === 'Completed';
}

export async function bookingToWebhook({ clinic, tell }: ClusterTrial): Promise<void> {
  const begun = performance.now();
  const status = await clinic.book();
  requireThat(status === 201, `a booking was answered with ${status}`);
  await until('the webhook', () => clinic.verifiedEvents().includes('appointment.created'));
  tell(`booking through the Service to verified webhook: ${since(begun)} s`);
}

/** What a process can do in its container beside its work. */
export async function hardening({ release, tell }: ClusterTrial): Promise<void> {
  const attempts = {
    'touch /app/written': 'Read-only file system',
    'touch /usr/written': 'Read-only file system',
    'touch /tmp/written && echo done': 'done',
    'ls /var/run/secrets/kubernetes.io': 'No such file or directory',
    'id --user': '1000',
    'grep NoNewPrivs /proc/self/status': '1',
    'grep CapBnd /proc/self/status': '0000000000000000',
  };
  for (const process of ['api', 'worker', 'dashboard']) {
    for (const [attempt, expected] of Object.entries(attempts)) {
      const said = await release.kubectl(
        'exec',
        `deploy/clinic-${process}`,
        '--',
        'sh',
        '-c',
        `${attempt} 2>&1 || true`,
      );
      requireThat(said.includes(expected), `${process}: ${attempt}: ${said}`);
    }
  }
  tell('files of the image cannot be written, /tmp can; user 1000, no capability, no token of the cluster');
}

/** Nothing here serves metrics: they are valid, keep the least number, and say what they miss. */
export async function autoscaling({ release, tell }: ClusterTrial): Promise<void> {
  const { metadata, status } = await until('an autoscaler to have looked for metrics', async () => {
    const [found] = await release.get<Autoscaler>('horizontalpodautoscalers');
    return found?.status.conditions.some(({ type }) => type === 'ScalingActive') && found;
  });
  const said = status.conditions.map(({ type, status: holds, reason }) => `${type} ${holds} ${reason}`);
  tell(`autoscaler ${metadata.name}: ${status.currentReplicas} replicas; ${said.join(', ')}`);
  requireThat(status.currentReplicas === 2, `${status.currentReplicas} replicas`);
}

/** What goes after what it belongs to. */
const FOLLOWING = ['Pod', 'ReplicaSet', 'Endpoints', 'EndpointSlice'];

/** Of all that can have a label of the installation's. */
export async function uninstalls({ release, tell }: ClusterTrial): Promise<void> {
  await release.uninstall();
  const kinds = (
    await release.kubectl('api-resources', '--namespaced', '--verbs=list', '--output', 'name')
  ).split('\n');
  const ofIt = ['--selector', 'app.kubernetes.io/instance=clinic'];
  const left = () => release.get<Made>(kinds.filter((kind) => !kind.startsWith('events')).join(), ...ofIt);
  await until('pods to be gone', async () => (await left()).every(({ kind }) => !FOLLOWING.includes(kind)));
  const names = (await left()).map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  requireThat(names.length === 0, `uninstalling left ${names.join(', ')}`);
  tell(`uninstalled: nothing of ${kinds.length} kinds is left`);
}
