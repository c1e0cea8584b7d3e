import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PROJECT_ROOT } from '../../dev/processes/run-script.ts';
import { run } from '../containers/shell.ts';
import type { Cluster } from './cluster.ts';
import { REPOSITORY } from './image.ts';
import { ENGINES, RECEIVER, type HandlerContext } from './surroundings.ts';

const CHART = join(PROJECT_ROOT, 'ops/helm/clinic-appointments');
const NAMESPACE = 'clinics';
/** The only namespace whose pods may reach those of the chart. */
export const FRIENDS = 'friends';
const key = () => randomBytes(32).toString('base64');

export interface Watched extends AsyncDisposable {
  lines: readonly string[];
}

/** The chart, installed as docs/kubernetes.md says. */
export interface Release {
  kubectl(...words: string[]): Promise<string>;
  /** What `kubectl get` finds, as it is told by the API. */
  get<T>(...words: string[]): Promise<T[]>;
  /** Installs, or updates with these settings beside the values. */
  upgrade(...settings: string[]): Promise<void>;
  uninstall(): Promise<void>;
  /** What a field is, again and again, until that is disposed of. */
  watch(object: string, jsonpath: string): Watched;
  /** The operator's command line. */
  admin(...words: string[]): Promise<Record<string, unknown>>;
}

/** Prepares what the chart asks for, and installs nothing yet. */
export async function prepareRelease(
  cluster: Cluster,
  helm: string,
  outside: HandlerContext,
): Promise<Release> {
  const { directory, env } = cluster;
  const kubectl = (...words: string[]) => cluster.kubectl('--namespace', NAMESPACE, ...words);
  await cluster.kubectl('create', 'namespace', NAMESPACE);
  // The strictest of the standards for pods: https://kubernetes.io/docs/concepts/security/pod-security-standards/
  await cluster.kubectl('label', 'namespace', NAMESPACE, 'pod-security.kubernetes.io/enforce=restricted');
  const literals = Object.entries(secrets(outside)).map(([name, value]) => `--from-literal=${name}=${value}`);
  await kubectl('create', 'secret', 'generic', 'clinic-appointments', ...literals);
  await kubectl('create', 'configmap', 'receivers', `--from-literal=ca.pem=${outside.caPem}`);
  const values = join(directory, 'values.json');
  await writeFile(values, JSON.stringify(valuesFor(outside)));
  const inIt = ['--namespace', NAMESPACE, '--wait', '--timeout', '5m'];
  const files = ['--values', join(CHART, 'ci/least-values.yaml'), '--values', values];
  return {
    kubectl,
    async get<T>(...words: string[]) {
      return (JSON.parse(await kubectl('get', ...words, '--output', 'json')) as { items: T[] }).items;
    },
    async upgrade(...settings) {
      const set = settings.flatMap((setting) => ['--set', setting]);
      await run([helm, 'upgrade', '--install', 'clinic', CHART, ...inIt, ...files, ...set], { env });
    },
    watch: (object, jsonpath) =>
      watch(['--namespace', NAMESPACE, 'get', object, '--output', `jsonpath=${jsonpath}{"\\n"}`], env),
    async uninstall() {
      await run([helm, 'uninstall', 'clinic', ...inIt], { env });
    },
    async admin(...words) {
      const printed = await kubectl('exec', 'deploy/clinic-worker', '--', 'node', 'admin/main.ts', ...words);
      return JSON.parse(printed) as Record<string, unknown>;
    },
  };
}

function watch(words: string[], env: NodeJS.ProcessEnv): Watched {
  const child = spawn('kubectl', [...words, '--watch'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[] = [];
  createInterface(child.stdout).on('line', (line) => line !== '' && lines.push(line));
  const closed = once(child, 'close');
  return {
    lines,
    async [Symbol.asyncDispose]() {
      child.kill();
      await closed;
    },
  };
}

function secrets({ logins }: HandlerContext): Record<string, string> {
  return {
    ...logins,
    ENCRYPTION_KEY: key(),
    PHONE_HASH_KEY: key(),
    OIDC_CLIENT_SECRET: key(),
  };
}

/** What this cluster has of its own, beside the least that has to be said. */
function valuesFor({ temporal, receiver }: HandlerContext): object {
  const only = (address: string) => [{ ipBlock: { cidr: `${address}/32` } }];
  const friends = [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': FRIENDS } } }];
  // Several pods have to fit onto two processors.
  const resources = { requests: { cpu: '50m' } };
  return {
    image: { repository: REPOSITORY },
    variables: {
      SERVICE_MODE: 'test',
      TEMPORAL_ADDRESS: temporal,
      RATE_LIMITS_DISABLED: 'true',
      WEBHOOK_ALLOWED_CIDRS: `${RECEIVER}/32`,
      WEBHOOK_CA_FILE: '/run/receivers/ca.pem',
      DASHBOARD_URL: 'https://dashboard.example.com',
      OIDC_ISSUER: 'https://identity.example.com',
      OIDC_CLIENT_ID: 'clinic',
      AWS_REGION: 'eu-west-1',
    },
    volumes: [{ name: 'receivers', configMap: { name: 'receivers' } }],
    volumeMounts: [{ name: 'receivers', mountPath: '/run/receivers', readOnly: true }],
    api: { resources },
    worker: { resources },
    dashboard: { enabled: true, resources },
    jobs: { resources },
    networkPolicy: {
      ingressFrom: friends,
      metricsFrom: friends,
      database: { to: only(ENGINES) },
      temporal: { to: only(ENGINES) },
      egress: [{ to: only(RECEIVER), ports: [{ port: receiver.port, protocol: 'TCP' }] }],
    },
  };
}
