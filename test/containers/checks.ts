import { performance } from 'node:perf_hooks';
import { evenly } from '../../bench/load/pace.ts';
import { GROUND_METRICS } from '../ops/ground-metrics.ts';
import { until } from '../support/until.ts';
import { API, exitCodesOf, httpStatus, type ClinicInContainers } from './clinic-in-containers.ts';
import type { Deployment } from './deployment.ts';

export type Tell = (line: string) => void;

const PER_SECOND = 20;
const REQUESTS = 1000;
/** What has nothing to tell while nothing is wrong, or is not part of this deployment. */
const TOLD_LATER = /^(persistence_errors|service_errors|backup_|pg_stat_replication_|pg_replication_slots_)/;

export function requireThat(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

/** Everything is made and started from nothing, and `doctor` finds nothing. */
export async function coldStart({ compose, admin }: Deployment, tell: Tell): Promise<void> {
  const begun = performance.now();
  await compose('up', '--detach', '--no-build', '--wait');
  tell(`cold start: ${seconds(begun)} s`);
  const { ok, checks } = (await admin('doctor')) as { ok: boolean; checks: { name: string; ok: boolean }[] };
  requireThat(ok, `doctor: ${JSON.stringify(checks.filter((check) => !check.ok))}`);
  tell(`doctor: all ${checks.length} checks are well`);
}

export async function bookingToWebhook(clinic: ClinicInContainers, tell: Tell): Promise<void> {
  const begun = performance.now();
  const status = await clinic.book();
  requireThat(status === 201, `a booking was answered with ${status}`);
  await until('the webhook', () => clinic.receiver.requests.length > 0);
  requireThat(clinic.verifiedEvents().includes('appointment.created'), 'the event is another one');
  tell(`booking to verified webhook: ${seconds(begun)} s`);
}

/** The update of the guide, under bookings: no request is refused, and none is lost. */
export async function updateUnderLoad(
  { script }: Deployment,
  clinic: ClinicInContainers,
  tell: Tell,
): Promise<void> {
  const answers = new Map<number | string, number>();
  const load = evenly(PER_SECOND, REQUESTS, async () => {
    const status = await clinic.book();
    answers.set(status, (answers.get(status) ?? 0) + 1);
  });
  await script('docker/roll.sh', 'api', 'worker');
  await load;
  tell(`update under ${PER_SECOND} bookings a second: ${JSON.stringify(Object.fromEntries(answers))}`);
  requireThat(
    answers.get(201) === REQUESTS,
    `${REQUESTS - (answers.get(201) ?? 0)} of ${REQUESTS} were refused`,
  );
  await allDelivered(clinic, tell);
}

/** Every booking that was answered is told of, and none by two events. */
export async function allDelivered(clinic: ClinicInContainers, tell: Tell): Promise<void> {
  const ids = () =>
    new Set(clinic.receiver.requests.map(({ body }) => (JSON.parse(body) as { id: string }).id));
  await until('every event', () => ids().size >= clinic.booked());
  requireThat(ids().size === clinic.booked(), `${ids().size} events of ${clinic.booked()} bookings`);
  tell(`delivered: ${ids().size} events in ${clinic.receiver.requests.length} requests, each verified`);
  requireThat(
    clinic.verifiedEvents().length === clinic.receiver.requests.length,
    'a signature does not hold',
  );
}

export async function moreProcesses({ compose }: Deployment, tell: Tell): Promise<void> {
  const scaled = ['--scale', 'api=3', '--scale', 'worker=3'];
  await compose('up', '--detach', '--no-build', '--no-recreate', '--wait', ...scaled, 'api', 'worker');
  const running = (await compose('ps', '--quiet', 'api', 'worker')).split('\n').length;
  requireThat(running === 6, `${running} containers of API and worker`);
  await compose('up', '--detach', '--no-build', '--no-recreate', '--wait', 'api', 'worker');
  tell('--scale: three of each ran, and two again');
}

/** Prometheus finds what the alerts ask for, told by the real exporters. */
export async function grounds(tell: Tell): Promise<void> {
  const asked = GROUND_METRICS.filter((name) => !TOLD_LATER.test(name));
  for (const name of asked) await until(`the metric ${name}`, () => isTold(name));
  tell(`metrics of PostgreSQL and the disks: ${asked.join(', ')}`);
  await until('Temporal to be scraped', () => isTold('up{job="temporal"} == 1'));
}

async function isTold(query: string): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:9090/api/v1/query?query=${encodeURIComponent(query)}`);
  const { data } = (await answer.json()) as { data: { result: unknown[] } };
  return data.result.length > 0;
}

/** The workers are told to stop, end well, and an alarm about them reaches a mailbox. */
export async function alarmMail(deployment: Deployment, tell: Tell): Promise<void> {
  const begun = performance.now();
  await deployment.compose('stop', 'worker');
  tell(
    `SIGTERM: workers ended with ${JSON.stringify(await exitCodesOf(deployment, 'worker'))} after ${seconds(begun)} s`,
  );
  await until('the alert to fire', () => isTold('ALERTS{alertname="WorkerDown",alertstate="firing"}')).catch(
    () => until('the alert to fire', () => isTold('ALERTS{alertname="WorkerDown",alertstate="firing"}')),
  );
  await until('the mail', async () => (await subjects()).some((subject) => subject.includes('WorkerDown')));
  tell(
    `alarm: a mail "${(await subjects())[0]}" lies in the mail catcher ${seconds(begun)} s after the last worker stopped`,
  );
  await deployment.compose('up', '--detach', '--no-build', '--no-recreate', '--wait', 'worker');
}

async function subjects(): Promise<string[]> {
  const answer = await fetch('http://127.0.0.1:8025/api/v1/messages');
  const { messages } = (await answer.json()) as { messages: { Subject: string }[] };
  return messages.map(({ Subject }) => Subject);
}

/** SIGTERM ends the API with 0, and the proxy answers by itself meanwhile. */
export async function stopsOnSigterm(deployment: Deployment, tell: Tell): Promise<void> {
  const begun = performance.now();
  await deployment.compose('stop', 'api');
  const codes = await exitCodesOf(deployment, 'api');
  requireThat(
    codes.every((code) => code === 0),
    `the API ended with ${codes.join(', ')}`,
  );
  tell(`SIGTERM: both APIs ended with 0 after ${seconds(begun)} s`);
  await deployment.compose('up', '--detach', '--no-build', '--no-recreate', '--wait', 'api');
  await until('the API to answer', async () => (await httpStatus(`${API}/health/ready`)) === 200);
}

function seconds(begun: number): string {
  return ((performance.now() - begun) / 1000).toFixed(1);
}
