import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { CHECKS } from './all-checks.ts';
import { coldStart } from './checks.ts';
import { aClinicIn } from './clinic-in-containers.ts';
import { deploy, type Deployment } from './deployment.ts';
import { makeNetwork, NETWORK, removeNetwork, startEngine } from './engine.ts';
import { makeImages, prepareImages } from './images.ts';
import { whatIsMissing } from './requirements.ts';
import { onSignals, untilToldToEnd } from './signals.ts';
import { since, type Trial } from './trial.ts';
import { answerUnknownNames } from './unknown-names.ts';

/** `npm run test:containers [-- CHECK…]`: docker-compose.yml as it is, on an engine and in a network of its own. */

const UNKNOWN_CHECK = 2;
/** Containers cannot be run here, which is no failure of theirs. */
const CANNOT_RUN = 3;
const INSIDE = '--inside';

const tell = (line: string) => void process.stdout.write(`${line}\n`);

const words = process.argv.slice(2);
const chosen = words.filter((word) => word !== INSIDE);
const unknown = chosen.filter((name) => !(name in CHECKS));

if (unknown.length > 0) {
  tell(`There is no check ${unknown.join(', ')}. There are: ${Object.keys(CHECKS).join(', ')}`);
  process.exitCode = UNKNOWN_CHECK;
} else if (words.includes(INSIDE)) await inside();
else process.exitCode = await outside();

/** Looks whether it can be done, and does it in a network namespace that is gone afterwards. */
async function outside(): Promise<number> {
  const missing = await whatIsMissing();
  if (missing.length > 0) {
    tell(`Containers cannot be tested here:\n${missing.map((what) => `  ${what}`).join('\n')}`);
    return CANNOT_RUN;
  }
  await prepareImages(tell);
  await makeNetwork();
  try {
    const child = spawn(
      'nsenter',
      [`--net=/run/netns/${NETWORK}`, process.execPath, import.meta.filename, INSIDE, ...chosen],
      { stdio: 'inherit' },
    );
    onSignals((signal) => child.kill(signal));
    await once(child, 'exit');
    return child.exitCode ?? 1;
  } finally {
    await removeNetwork();
  }
}

async function inside(): Promise<void> {
  const told = untilToldToEnd();
  await using _names = await answerUnknownNames();
  await using engine = await startEngine();
  process.env['DOCKER_HOST'] = engine.host;
  await Promise.race([told, makeImages(engine.directory, tell)]);
  await using deployment = await deploy(engine.host);
  const failures = await Promise.race([told, tryAll(deployment)]);
  if (failures > 0) {
    tell(await deployment.compose('ps', '--all'));
    tell(await deployment.compose('logs', '--no-color', '--tail', '15'));
  }
  tell(failures === 0 ? 'all is well' : `${failures} of the checks failed`);
  process.exitCode = failures === 0 ? 0 : 1;
}

/** Each is tried, whatever became of those before it; without a start there is nothing to try. @returns how many failed */
async function tryAll(deployment: Deployment): Promise<number> {
  const begun = performance.now();
  await coldStart(deployment, tell);
  await using clinic = await aClinicIn(deployment);
  const wanted = Object.keys(CHECKS).filter((name) => chosen.length === 0 || chosen.includes(name));
  let failures = 0;
  for (const name of wanted) {
    if (!(await holds(name, { deployment, clinic, tell }))) failures += 1;
  }
  tell(`cold start and ${wanted.length} checks: ${since(begun)} s`);
  return failures;
}

async function holds(name: string, trial: Trial): Promise<boolean> {
  const begun = performance.now();
  try {
    await CHECKS[name]?.(trial);
    tell(`  ${name}: holds, after ${since(begun)} s`);
    return true;
  } catch (error) {
    tell(`  ${name}: FAILED after ${since(begun)} s: ${error instanceof Error ? error.message : 'unknown'}`);
    return false;
  }
}
