import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClusterPrograms } from './kubernetes-programs.ts';

/** The node, and what pods see of what lies outside the cluster: addresses of a bridge that leads nowhere. */
export const NODE = '10.99.0.1';
export const PODS = { bridge: 'pods', gateway: '10.88.0.1', range: '10.88.0.0/16' };
export const SERVICES = '10.96.0.0/24';
/** Below this one are those of pods, in every hierarchy of control groups. */
export const CONTROL_GROUP = 'clinic-cluster';
export const PAUSE = 'registry.example.com/pause:1';

/** What the kubelet wants the kernel to be like. It is shown these files instead, since the machine is not its own. */
export const KERNEL_SETTINGS = {
  'vm/overcommit_memory': '1',
  'vm/panic_on_oom': '0',
  'kernel/panic': '10',
  'kernel/panic_on_oops': '1',
};

/** The configuration of every program, by its name in the directory. */
export async function writeNodeFiles(directory: string, { debian }: ClusterPrograms): Promise<void> {
  await mkdir(join(directory, 'cni'));
  const token = randomBytes(16).toString('hex');
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const files: Record<string, string> = {
    'accounts.key': privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    'accounts.pub': publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    'tokens.csv': `${token},operator,1,system:masters\n`,
    kubeconfig: JSON.stringify(kubeconfig(token)),
    'kubelet.json': JSON.stringify(kubeletConfiguration(directory)),
    'containerd.toml': containerdConfiguration(directory, join(debian, 'usr/lib/cni')),
    'cni/pods.conflist': JSON.stringify(podNetwork()),
    // No one answers for names here.
    'resolv.conf': `nameserver ${NODE}\n`,
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(directory, name), content);
  for (const [name, value] of Object.entries(KERNEL_SETTINGS)) {
    await writeFile(join(directory, name.replace('/', '.')), `${value}\n`);
  }
}

function kubeconfig(token: string): object {
  const cluster = { server: `https://${NODE}:6443`, 'insecure-skip-tls-verify': true };
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'trial', cluster }],
    users: [{ name: 'operator', user: { token } }],
    contexts: [{ name: 'trial', context: { cluster: 'trial', user: 'operator' } }],
    'current-context': 'trial',
  };
}

function kubeletConfiguration(directory: string): object {
  return {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    // Only this network namespace reaches it.
    authentication: { anonymous: { enabled: true }, webhook: { enabled: false } },
    authorization: { mode: 'AlwaysAllow' },
    containerRuntimeEndpoint: `unix://${directory}/containerd.sock`,
    cgroupDriver: 'cgroupfs',
    cgroupRoot: `/${CONTROL_GROUP}`,
    failCgroupV1: false,
    failSwapOn: false,
    podLogsDir: join(directory, 'pod-logs'),
    resolvConf: join(directory, 'resolv.conf'),
    // How full the disk is says nothing about the chart.
    evictionHard: { 'memory.available': '0%', 'nodefs.available': '0%', 'imagefs.available': '0%' },
    imageGCHighThresholdPercent: 100,
    imageGCLowThresholdPercent: 99,
  };
}

function containerdConfiguration(directory: string, plugins: string): string {
  const cri = 'plugins."io.containerd.grpc.v1.cri"';
  return [
    'version = 2',
    `root = "${directory}/containerd"`,
    `state = "${directory}/containerd-state"`,
    `[grpc]\naddress = "${directory}/containerd.sock"`,
    // Where no one may make a process less likely to be ended when memory is short.
    `[${cri}]\nsandbox_image = "${PAUSE}"\nrestrict_oom_score_adj = true`,
    `[${cri}.cni]\nbin_dir = "${plugins}"\nconf_dir = "${directory}/cni"`,
  ].join('\n');
}

function podNetwork(): object {
  const ipam = { type: 'host-local', subnet: PODS.range, routes: [{ dst: '0.0.0.0/0' }] };
  const bridge = { type: 'bridge', bridge: PODS.bridge, isGateway: true, hairpinMode: true, ipam };
  return { cniVersion: '0.4.0', name: PODS.bridge, plugins: [bridge] };
}
