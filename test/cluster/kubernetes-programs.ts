import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { KEPT, unpackedPackages } from '../containers/programs.ts';
import { run } from '../containers/shell.ts';

export const KUBERNETES = '1.34.4';
const ROUTER = 'github.com/cloudnativelabs/kube-router/v2/cmd/kube-router@v2.1.0';
const COMMANDS = [
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kubelet',
  'kube-proxy',
  'kubectl',
];

/** Where the programs of a cluster are. */
export interface ClusterPrograms {
  /** Kubernetes' own, kube-router, and etcd, which Go calls `server`, after its module. */
  bin: string;
  /** Files of Debian: plugins of CNI, and ipset with its library. */
  debian: string;
}

/** Builds Kubernetes from its modules, once: half an hour on two processors. */
export async function clusterPrograms(tell: (line: string) => void): Promise<ClusterPrograms> {
  const debian = await unpackedPackages(['containernetworking-plugins', 'ipset', 'libipset13']);
  const bin = join(KEPT, `kubernetes-${KUBERNETES}`);
  if (existsSync(bin)) return { bin, debian };
  tell(`building Kubernetes ${KUBERNETES} and etcd, its store`);
  const unfinished = `${bin}.new`;
  await rm(unfinished, { recursive: true, force: true });
  await buildKubernetes(unfinished);
  tell(`building ${ROUTER}`);
  await run(['go', 'install', ROUTER], { env: { GOBIN: unfinished, CGO_ENABLED: '0' } });
  await rename(unfinished, bin);
  return { bin, debian };
}

async function buildKubernetes(into: string): Promise<void> {
  const directory = `${into}.module`;
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, 'go.mod'), await moduleFile());
  const version = { gitVersion: `v${KUBERNETES}`, gitMajor: '1', gitMinor: KUBERNETES.split('.')[1] };
  const told = Object.entries(version).map(
    ([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`,
  );
  const packages = COMMANDS.map((name) => `k8s.io/kubernetes/cmd/${name}`);
  const flags = ['-mod=mod', '-ldflags', `-s -w ${told.join(' ')}`, '-o', `${into}/`];
  await mkdir(into, { recursive: true });
  await run(['go', 'build', ...flags, ...packages, 'go.etcd.io/etcd/server/v3'], {
    directory,
    env: { CGO_ENABLED: '0' },
  });
  await rm(directory, { recursive: true });
}

/** `go install` refuses Kubernetes, whose module replaces others by its own folders. Here these are replaced by their releases. */
async function moduleFile(): Promise<string> {
  const found = await run(['go', 'mod', 'download', '-json', `k8s.io/kubernetes@v${KUBERNETES}`]);
  const { GoMod } = JSON.parse(found) as { GoMod: string };
  const text = (await readFile(GoMod, 'utf8'))
    .replace('module k8s.io/kubernetes', 'module cluster')
    .replaceAll(/=> \.\/staging\/src\/(\S+)/g, `=> $1 v${KUBERNETES.replace(/^1/, '0')}`);
  return `${text}\nrequire k8s.io/kubernetes v${KUBERNETES}\n`;
}
