import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { findHelm } from '../../dev/chart/chart-tools.ts';
import { prepareNodeImage } from '../containers/images.ts';
import { whatIsMissing } from '../containers/requirements.ts';
import { onSignals } from '../containers/signals.ts';
import { aClinicAt } from '../containers/clinic-in-containers.ts';
import { since } from '../containers/trial.ts';
import { until } from '../support/until.ts';
import {
  autoscaling,
  bookingToWebhook,
  hardening,
  installs,
  uninstalls,
  type ClusterTrial,
} from './checks.ts';
import { deletion, eviction, update } from './disruptions.ts';
import { walls } from './walls.ts';
import { startCluster } from './cluster.ts';
import { makeControlGroups, removeControlGroups } from './control-groups.ts';
import { buildImages } from './image.ts';
import { clusterPrograms } from './kubernetes-programs.ts';
import { prepareRelease, type Release } from './release.ts';
import { ENGINES, RECEIVER, startSurroundings, type HandlerContext } from './surroundings.ts';

/** `npm run test:cluster`: the Helm chart in a cluster of one node that is made for it and gone afterwards. */

const CANNOT_RUN = 2;
const INSIDE = '--inside';
/** Everything that is started belongs to these and ends with them, however this ends. */
const OF_ITS_OWN = ['--net', '--mount', '--pid', '--fork', '--mount-proc', '--kill-child'];

const CHECKS: Readonly<Record<string, (trial: ClusterTrial) => Promise<void>>> = {
  booking: bookingToWebhook,
  hardening,
  autoscaling,
  walls,
  update,
  deletion,
  eviction,
  uninstall: uninstalls,
};

const tell = (line: string) => void process.stdout.write(`${line}\n`);
const [, , how, given] = process.argv;
// Anyone who is the first process of a namespace takes all others along.
if (how === INSIDE && given !== undefined) process.exit(await inside(given));
else process.exitCode = await outside();

async function outside(): Promise<number> {
  const missing = await whatIsMissing({ containerd: 'containerd', ctr: 'containerd', runc: 'runc' });
  if (missing.length > 0) {
    tell(`No cluster can be made here:\n${missing.map((what) => `  ${what}`).join('\n')}`);
    return CANNOT_RUN;
  }
  await prepareNodeImage(tell);
  await clusterPrograms(tell);
  await findHelm();
  const directory = await mkdtemp(join(tmpdir(), 'clinic-cluster-'));
  // The accounts of PostgreSQL and of the containers pass through here.
  await chmod(directory, 0o755);
  try {
    await makeControlGroups();
    return await runInside(directory);
  } finally {
    await until('all processes to be gone', removeControlGroups);
    await rm(directory, { recursive: true, force: true });
  }
}

async function runInside(directory: string): Promise<number> {
  const again = [process.execPath, import.meta.filename, INSIDE, directory];
  const child = spawn('unshare', [...OF_ITS_OWN, ...again], {
    stdio: 'inherit',
    env: { ...process.env, TMPDIR: directory },
    detached: true,
  });
  // Its child, the first process inside, is ended with it.
  onSignals(() => child.kill('SIGKILL'));
  await once(child, 'exit');
  return child.exitCode ?? 1;
}

async function inside(directory: string): Promise<number> {
  const programs = await clusterPrograms(tell);
  const archive = await buildImages(directory, tell);
  const cluster = await startCluster(directory, programs, [ENGINES, RECEIVER]);
  await cluster.load(archive);
  const outsideOfIt = await startSurroundings(directory);
  const release = await prepareRelease(cluster, await findHelm(), outsideOfIt);
  const failures = await Promise.race([cluster.ends, tryAll(release, outsideOfIt)]);
  tell(failures === 0 ? 'all is well' : `${failures} of the checks failed`);
  if (failures > 0) tell(await release.kubectl('get', 'pods,events', '--all-namespaces'));
  return failures === 0 ? 0 : 1;
}

/** Each is tried, whatever became of those before it; without an installation there is nothing to try. @returns how many failed */
async function tryAll(release: Release, { receiver }: HandlerContext): Promise<number> {
  if (!(await holds('installation', () => installs(release, tell)))) return 1;
  const service = await release.kubectl(
    'get',
    'service',
    'clinic-api',
    '--output',
    'jsonpath={.spec.clusterIP}',
  );
  const address = receiver.url('/hook', RECEIVER);
  const clinic = await aClinicAt({ api: `http://${service}:3000`, admin: release.admin, receiver, address });
  let failures = 0;
  for (const [name, check] of Object.entries(CHECKS)) {
    if (!(await holds(name, () => check({ release, clinic, tell })))) failures += 1;
  }
  return failures;
}

async function holds(name: string, check: () => Promise<void>): Promise<boolean> {
  const begun = performance.now();
  try {
    await check();
    tell(`  ${name}: holds, after ${since(begun)} s`);
    return true;
  } catch (error) {
    tell(`  ${name}: FAILED after ${since(begun)} s: ${error instanceof Error ? error.message : 'unknown'}`);
    return false;
  }
}
