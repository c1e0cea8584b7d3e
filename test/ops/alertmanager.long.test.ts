import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { anyPort } from '../../dev/processes/free-port.ts';
import { PROJECT_ROOT } from '../../dev/processes/run-script.ts';
import { until } from '../support/until.ts';
import { startMailServer, type MailServer } from '../webhooks/endpoints/mail-server.ts';
import { forSuite } from '../support/for-suite.ts';

/** The real Alertmanager, of Debian's package `prometheus-alertmanager`, with the configuration that compose gives it. */

const PROGRAM = 'prometheus-alertmanager';
const CONFIGURATION = join(PROJECT_ROOT, 'ops/alertmanager.yml');

const mail = await forSuite(startMailServer());
const alertmanager = await forSuite(startAlertmanager(await mailingTo(mail)));

test.each(['alertmanager.yml', 'alertmanager.pagers.yml'])('amtool finds %s sound', async (file) => {
  const { stdout } = await promisify(execFile)('amtool', ['check-config', join(PROJECT_ROOT, 'ops', file)]);
  expect(stdout).toContain('SUCCESS');
});

test('a critical alert is mailed to the operators, with what to do, and another one when it has ended', async () => {
  const startsAt = new Date().toISOString();
  await tell({ startsAt });
  await until('the mail', () => mail.mails.length === 1);
  expect(mail.mails[0]?.recipients).toEqual(['operators@clinic.invalid']);
  expect(mail.mails[0]?.header('Subject')).toBe('FIRING critical: WorkerDown');
  expect(mail.mails[0]?.source).toContain('No worker process answers');
  expect(mail.mails[0]?.source).toContain('docs/operations/alerts.md#workerdown');
  await tell({ startsAt, endsAt: new Date().toISOString() });
  await until('the mail that it has ended', () => mail.mails.length === 2);
  expect(mail.mails[1]?.header('Subject')).toContain('RESOLVED');
});

async function tell(times: { startsAt: string; endsAt?: string }): Promise<void> {
  const alert = {
    labels: { alertname: 'WorkerDown', severity: 'critical' },
    annotations: {
      summary: 'No worker process answers',
      runbook_url: 'docs/operations/alerts.md#workerdown',
    },
    ...times,
  };
  const answer = await fetch(`${alertmanager.address}/api/v2/alerts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify([alert]),
  });
  expect(answer.status).toBe(200);
}

/** The configuration that ships, but for the mail server's address, and without the waits. */
async function mailingTo({ url }: MailServer): Promise<string> {
  const text = await readFile(CONFIGURATION, 'utf8');
  return text
    .replace('mail:1025', new URL(url).host)
    .replaceAll(/group_wait: \w+/g, 'group_wait: 0s')
    .replaceAll(/group_interval: \w+/g, 'group_interval: 1s');
}

async function startAlertmanager(configuration: string) {
  const directory = await mkdtemp(join(tmpdir(), 'alertmanager-'));
  const file = join(directory, 'alertmanager.yml');
  await writeFile(file, configuration);
  const listen = `127.0.0.1:${await anyPort('127.0.0.1')}`;
  const child = spawn(
    PROGRAM,
    [
      `--config.file=${file}`,
      `--storage.path=${directory}`,
      `--web.listen-address=${listen}`,
      '--cluster.listen-address=',
      '--log.level=error',
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  await once(child, 'spawn');
  const exited = once(child, 'exit');
  const address = `http://${listen}`;
  await until('Alertmanager to be ready', () =>
    fetch(`${address}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return {
    address,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await exited;
      await rm(directory, { recursive: true });
    },
  };
}
