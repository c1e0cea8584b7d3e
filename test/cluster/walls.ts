import { requireThat } from '../containers/trial.ts';
import type { ClusterTrial } from './checks.ts';
import { IMAGE } from './image.ts';
import { NODE } from './node-files.ts';
import { FRIENDS, type Release } from './release.ts';

const STRANGERS = 'strangers';
const UNREACHED = 'unreached';

interface Pod {
  status: { podIP: string };
}

/** Who reaches the pods and whom they reach, as the policies say; kube-router holds them up. */
export async function walls({ release, tell }: ClusterTrial): Promise<void> {
  for (const namespace of [FRIENDS, STRANGERS]) await addCaller(release, namespace);
  const [friend, stranger] = [FRIENDS, STRANGERS].map((namespace) => ['--namespace', namespace, 'caller']);
  const api = `http://${await addressOf(release, 'api')}:3000/health`;
  const metrics = `http://${await addressOf(release, 'worker')}:9464/metrics`;
  // Of the node, which no receiver is at.
  const inside = `http://${NODE}:10256/healthz`;
  const attempts: [string, string[] | undefined, string, string][] = [
    ['a pod that is let in, to the API', friend, api, '200'],
    ['a pod that is let in, to metrics', friend, metrics, '200'],
    ['a stranger, to the API', stranger, api, UNREACHED],
    ['a stranger, to metrics', stranger, metrics, UNREACHED],
    ['a stranger, to a private address', stranger, inside, '200'],
    ['a worker, to a private address', ['deploy/clinic-worker'], inside, UNREACHED],
  ];
  for (const [what, from = [], url, expected] of attempts) {
    const answer = await release.kubectl('exec', ...from, '--', 'node', '--eval', asking(url));
    tell(`${what}: ${answer}`);
    requireThat(answer === expected, `${what}: ${answer}, not ${expected}`);
  }
}

async function addCaller({ kubectl }: Release, namespace: string): Promise<void> {
  const inIt = ['--namespace', namespace];
  await kubectl('create', 'namespace', namespace);
  await kubectl(...inIt, 'run', 'caller', `--image=${IMAGE}`, '--command', '--', 'sleep', 'infinity');
  await kubectl(...inIt, 'wait', '--for=condition=Ready', '--timeout=60s', 'pod/caller');
}

async function addressOf({ get }: Release, process: string): Promise<string> {
  const [pod] = await get<Pod>('pods', '--selector', `app.kubernetes.io/component=${process}`);
  return pod?.status.podIP ?? 'nowhere';
}

function asking(url: string): string {
  const asked = `fetch('${url}', { signal: AbortSignal.timeout(3000) })`;
  return `${asked}.then(({ status }) => console.log(status), () => console.log('${UNREACHED}'))`;
}
