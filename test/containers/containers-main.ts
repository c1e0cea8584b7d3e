import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  alarmMail,
  bookingToWebhook,
  coldStart,
  grounds,
  moreProcesses,
  stopsOnSigterm,
  updateUnderLoad,
} from './checks.ts';
import { aClinicIn } from './clinic-in-containers.ts';
import { deploy, type Deployment } from './deployment.ts';
import { failover } from './failover.ts';
import { makeNetwork, NETWORK, removeNetwork, startEngine } from './engine.ts';
import { makeImages, prepareImages } from './images.ts';
import { whatIsMissing } from './requirements.ts';
import { answerUnknownNames } from './unknown-names.ts';
import { restoreToAMoment, temporalIsGone } from './restores.ts';

/** `npm run test:containers`: docker-compose.yml as it is, on an engine and in a network of its own. */

/** Containers cannot be run here, which is no failure of theirs. */
const CANNOT_RUN = 3;
const INSIDE = '--inside';

const tell = (line: string) => void process.stdout.write(`${line}\n`);

if (process.argv.includes(INSIDE)) await inside();
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
      [`--net=/run/netns/${NETWORK}`, process.execPath, import.meta.filename, INSIDE],
      { stdio: 'inherit' },
    );
    await once(child, 'exit');
    return child.exitCode ?? 1;
  } finally {
    await removeNetwork();
  }
}

async function inside(): Promise<void> {
  await using _names = await answerUnknownNames();
  await using engine = await startEngine();
  process.env['DOCKER_HOST'] = engine.host;
  await makeImages(tell);
  await using deployment = await deploy(engine.host);
  const failures = await checkAll(deployment);
  if (failures > 0) {
    tell(await deployment.compose('ps', '--all'));
    tell(await deployment.compose('logs', '--no-color', '--tail', '15'));
  }
  tell(failures === 0 ? 'all is well' : `${failures} of the checks failed`);
  process.exitCode = failures === 0 ? 0 : 1;
}

/** Each is tried, whatever became of those before it; without a start there is nothing to try. */
async function checkAll(deployment: Deployment): Promise<number> {
  await coldStart(deployment, tell);
  await using clinic = await aClinicIn(deployment);
  const checks = [
    () => bookingToWebhook(clinic, tell),
    () => updateUnderLoad(deployment, clinic, tell),
    () => moreProcesses(deployment, tell),
    () => grounds(tell),
    () => stopsOnSigterm(deployment, tell),
    () => restoreToAMoment(deployment, clinic, tell),
    () => temporalIsGone(deployment, tell),
    () => alarmMail(deployment, tell),
    () => failover(deployment, clinic, tell),
  ];
  let failures = 0;
  for (const check of checks) {
    try {
      await check();
    } catch (error) {
      failures += 1;
      tell(`FAILED: ${error instanceof Error ? error.message : 'unknown'}`);
    }
  }
  return failures;
}
