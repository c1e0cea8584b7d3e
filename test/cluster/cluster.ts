import { spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '../support/until.ts';
import { run, succeeds } from '../containers/shell.ts';
import type { ClusterPrograms } from './kubernetes-programs.ts';
import { KERNEL_SETTINGS, NODE, PODS, SERVICES, writeNodeFiles } from './node-files.ts';

/** Where the programs of a node write, whatever they are told. */
const WRITTEN = ['/run', '/usr/libexec', '/var/lib', '/var/log'];

/** A cluster of one node. */
export interface Cluster {
  directory: string;
  kubectl(...words: string[]): Promise<string>;
  /** Puts an image that `docker save` wrote where the node finds it. */
  load(archive: string): Promise<void>;
  env: NodeJS.ProcessEnv;
  /** Rejects when a program of the cluster ends. */
  ends: Promise<never>;
}

/**
 * Starts a cluster in the namespaces that this process is alone in, with all that it starts: it has no end of its own and
 * goes with them.
 * @param addresses what lies outside the cluster, within reach of pods
 */
export async function startCluster(
  directory: string,
  programs: ClusterPrograms,
  addresses: readonly string[],
): Promise<Cluster> {
  await writeNodeFiles(directory, programs);
  await makeNetwork(addresses);
  await makeView(directory);
  const env = environmentOf(directory, programs);
  const kubectl = (...words: string[]) => run(['kubectl', ...words], { env });
  const { promise: ends, reject } = Promise.withResolvers<never>();
  ends.catch(() => undefined);
  const startAll = (commands: string[][]) =>
    commands.map((command) => start(directory, env, command, reject));
  startAll(controlPlane(directory));
  const isUp = () => succeeds(['kubectl', 'get', '--raw', '/readyz'], { env });
  await Promise.race([until('the API server', isUp), ends]);
  startAll(node(directory));
  await Promise.race([until('the node to be ready', () => isNodeReady(kubectl)), ends]);
  startAll([walls(directory)]);
  const ctr = ['ctr', '--address', `${directory}/containerd.sock`, '--namespace', 'k8s.io'];
  const load = async (archive: string) => void (await run([...ctr, 'images', 'import', archive]));
  return { directory, kubectl, load, env, ends };
}

function environmentOf(directory: string, { bin, debian }: ClusterPrograms): NodeJS.ProcessEnv {
  return {
    ...process.env,
    KUBECONFIG: join(directory, 'kubeconfig'),
    PATH: `${bin}:${join(debian, 'usr/sbin')}:${process.env['PATH']}`,
    LD_LIBRARY_PATH: join(debian, 'usr/lib/x86_64-linux-gnu'),
  };
}

async function makeNetwork(addresses: readonly string[]): Promise<void> {
  const ip = (words: string) => run(['ip', ...words.split(' ')]);
  await ip('link set lo up');
  await ip('link add outside type bridge');
  for (const address of [NODE, ...addresses]) await ip(`address add ${address}/24 dev outside`);
  await ip('link set outside up');
  // Addresses of services have no route of their own: they are translated on the way.
  await ip('route add default dev outside');
  await ip(`link add ${PODS.bridge} type bridge`);
  await ip(`address add ${PODS.gateway}/16 dev ${PODS.bridge}`);
  await ip(`link set ${PODS.bridge} up`);
  for (const file of ['ipv4/ip_forward', 'bridge/bridge-nf-call-iptables']) {
    await writeFile(`/proc/sys/net/${file}`, '1');
  }
}

/** Shows what is started other settings of the kernel, and keeps what it writes away from the machine's own files. */
async function makeView(directory: string): Promise<void> {
  for (const name of Object.keys(KERNEL_SETTINGS)) {
    await run(['mount', '--bind', join(directory, name.replace('/', '.')), `/proc/sys/${name}`]);
  }
  for (const place of WRITTEN) {
    const above = join(directory, `above${place.replaceAll('/', '-')}`);
    const work = join(directory, `work${place.replaceAll('/', '-')}`);
    for (const layer of [above, work]) await mkdir(layer);
    const layers = `lowerdir=${place},upperdir=${above},workdir=${work}`;
    await run(['mount', '--types', 'overlay', 'overlay', '--options', layers, place]);
  }
}

function controlPlane(directory: string): string[][] {
  const file = (name: string) => join(directory, name);
  return [
    ['server', `--data-dir=${file('etcd')}`, '--unsafe-no-fsync'],
    [
      'kube-apiserver',
      '--etcd-servers=http://127.0.0.1:2379',
      `--advertise-address=${NODE}`,
      `--service-cluster-ip-range=${SERVICES}`,
      `--cert-dir=${file('certificates')}`,
      `--token-auth-file=${file('tokens.csv')}`,
      '--authorization-mode=RBAC',
      '--kubelet-preferred-address-types=InternalIP',
      '--service-account-issuer=https://kubernetes.default.svc',
      `--service-account-key-file=${file('accounts.pub')}`,
      `--service-account-signing-key-file=${file('accounts.key')}`,
    ],
    [
      'kube-controller-manager',
      `--kubeconfig=${file('kubeconfig')}`,
      `--service-account-private-key-file=${file('accounts.key')}`,
      '--leader-elect=false',
      `--cert-dir=${file('certificates')}`,
    ],
    ['kube-scheduler', `--kubeconfig=${file('kubeconfig')}`, '--leader-elect=false'],
  ];
}

function node(directory: string): string[][] {
  const file = (name: string) => join(directory, name);
  return [
    ['containerd', `--config=${file('containerd.toml')}`],
    [
      'kubelet',
      ...asTheNode(directory),
      `--config=${file('kubelet.json')}`,
      `--root-dir=${file('kubelet')}`,
      `--cert-dir=${file('certificates')}`,
      `--volume-plugin-dir=${file('volume-plugins')}`,
      `--node-ip=${NODE}`,
    ],
    [
      'kube-proxy',
      ...asTheNode(directory),
      '--proxy-mode=iptables',
      `--cluster-cidr=${PODS.range}`,
      // Limits of the kernel's that are the machine's.
      ...['max-per-core', 'min', 'tcp-timeout-established', 'tcp-timeout-close-wait'].map(
        (limit) => `--conntrack-${limit}=0`,
      ),
    ],
  ];
}

/** Holds up what network policies say, which the plugin of the bridge does not. It looks for its node as it starts. */
function walls(directory: string): string[] {
  return [
    'kube-router',
    ...asTheNode(directory),
    '--run-firewall=true',
    '--run-router=false',
    '--run-service-proxy=false',
    `--service-cluster-ip-range=${SERVICES}`,
  ];
}

function asTheNode(directory: string): string[] {
  return [`--kubeconfig=${join(directory, 'kubeconfig')}`, '--hostname-override=node'];
}

async function isNodeReady(kubectl: Cluster['kubectl']): Promise<boolean> {
  const path = '{.items[*].status.conditions[?(@.type=="Ready")].status}';
  return (await kubectl('get', 'nodes', '--output', `jsonpath=${path}`)) === 'True';
}

function start(
  directory: string,
  env: NodeJS.ProcessEnv,
  [program = '', ...words]: string[],
  onEnd: (error: Error) => void,
): void {
  const log = join(directory, `${program}.log`);
  const file = openSync(log, 'a');
  const child = spawn(program, words, { env, stdio: ['ignore', file, file] });
  child.once('error', onEnd);
  child.once('exit', () => onEnd(new Error(`${program} ended: see ${log}`)));
}
