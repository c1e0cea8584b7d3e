import { dataDirectory } from '../data-directory/data-directory.ts';
import { createDemoApi } from './demo-api.ts';
import { startDemoReceiver } from './demo-receiver.ts';
import { readFirstClinic, type FirstClinic } from '../first-clinic/first-clinic.ts';
import { issueServerCertificate } from '../data-directory/local-ca.ts';
import { readTextIfPresent } from '../data-directory/private-file.ts';
import type { Report } from '../report.ts';
import { readRunningFile, type RunningService } from '../data-directory/running-file.ts';

export type Demo = Awaited<ReturnType<typeof prepareDemo>>;

/**
 * What the demo plays with; disposing of it leaves the clinic without the demo's endpoints.
 * @throws Error with a message for the person at the terminal when the service does not run or is not a sandbox
 */
export async function prepareDemo(root: string, report: Report, stopping: AbortSignal) {
  const { running, clinic } = await findService(root);
  const resources = new AsyncDisposableStack();
  const receiver = resources.use(await startDemoReceiver(await serverIdentity(root), report, stopping));
  return {
    running,
    clinic,
    api: createDemoApi(running.apiUrl, clinic.key, stopping),
    receiver,
    /** What to undo at the end. */
    resources,
    report,
    stopping,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

async function findService(root: string): Promise<{ running: RunningService; clinic: FirstClinic }> {
  const files = dataDirectory(root);
  const [running, clinic] = [readRunningFile(files.running), readFirstClinic(files.demo)];
  if (!running || !clinic) {
    throw new Error(
      `no service runs in ${root}. Start it with "npm start" in another terminal, then try again.`,
    );
  }
  if (running.serviceMode !== 'test') {
    throw new Error('the running service is live. The demo invents patients, so it needs SERVICE_MODE=test.');
  }
  await untilAnswers(running.apiUrl);
  return { running, clinic };
}

/** A killed launcher leaves running.json behind. */
async function untilAnswers(apiUrl: string): Promise<void> {
  try {
    const answer = await fetch(`${apiUrl}/health`, { signal: AbortSignal.timeout(5_000) });
    await answer.body?.cancel();
  } catch (error) {
    throw new Error(`the service does not answer at ${apiUrl}. Is "npm start" still running?`, {
      cause: error,
    });
  }
}

/** A certificate for localhost by the local CA, which the running service trusts. */
async function serverIdentity(root: string) {
  const files = dataDirectory(root);
  const [certificatePem, keyPem] = [readTextIfPresent(files.caCertificate), readTextIfPresent(files.caKey)];
  if (certificatePem === null || keyPem === null) {
    throw new Error(`the local CA is missing in ${root}. Start the service again with "npm start".`);
  }
  return issueServerCertificate({ certificatePem, keyPem });
}
