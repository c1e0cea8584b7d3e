import { performance } from 'node:perf_hooks';
import { evenly } from '../../bench/load/pace.ts';
import { GROUND_METRICS } from '../ops/ground-metrics.ts';
import { until } from '../support/until.ts';
import { API, exitCodesOf, httpStatus } from './clinic-in-containers.ts';
import type { Deployment } from './deployment.ts';
import { isTold } from './prometheus.ts';
import { requireThat, since, start, type Tell, type Trial } from './trial.ts';

const PER_SECOND = 20;
const REQUESTS = 1000;
/** What has nothing to tell while nothing is wrong; of standbys the failover tells. */
const TOLD_LATER = /^(persistence_errors|service_errors|pg_stat_replication_)/;

/** Everything is made and started from nothing, and `doctor` finds nothing. */
export async function coldStart({ compose, admin }: Deployment, tell: Tell): Promise<void> {
  const begun = performance.now();
  await compose('up', '--detach', '--no-build', '--wait');
  tell(`cold start: ${since(begun)} s`);
  const { ok, checks } = (await admin('doctor')) as { ok: boolean; checks: { name: string; ok: boolean }[] };
  requireThat(ok, `doctor: ${JSON.stringify(checks.filter((check) => !check.ok))}`);
  tell(`doctor: all ${checks.length} checks are well`);
}

export async function bookingToWebhook({ clinic, tell }: Trial): Promise<void> {
  const begun = performance.now();
  const status = await clinic.book();
  requireThat(status === 201, `a booking was answered with ${status}`);
  await until('the webhook', () => clinic.receiver.requests.length > 0);
  requireThat(clinic.verifiedEvents().includes('appointment.created'), 'the event is another one');
  tell(`booking to verified webhook: ${since(begun)} s`);
}

/** The update of the guide, under bookings: no request is refused, and none is lost. */
export async function updateUnderLoad({ deployment, clinic, tell }: Trial): Promise<void> {
  const answers = new Map<number | string, number>();
  const load = evenly(PER_SECOND, REQUESTS, async () => {
    const status = await clinic.book();
    answers.set(status, (answers.get(status) ?? 0) + 1);
  });
  await deployment.script('docker/roll.sh', 'api', 'worker');
  await load;
  tell(`update under ${PER_SECOND} bookings a second: ${JSON.stringify(Object.fromEntries(answers))}`);
  requireThat(
    answers.get(201) === REQUESTS,
    `${REQUESTS - (answers.get(201) ?? 0)} of ${REQUESTS} were refused`,
  );
  await allDelivered({ clinic, tell });
}

/** Every answered booking has exactly one event. */
async function allDelivered({ clinic, tell }: Pick<Trial, 'clinic' | 'tell'>): Promise<void> {
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

export async function moreProcesses({ deployment, tell }: Trial): Promise<void> {
  await start(deployment, '--scale', 'api=3', '--scale', 'worker=3', 'api', 'worker');
  const running = (await deployment.compose('ps', '--quiet', 'api', 'worker')).split('\n').length;
  requireThat(running === 6, `${running} containers of API and worker`);
  await start(deployment, 'api', 'worker');
  tell('--scale: three of each ran, and two again');
}

/** Prometheus finds what the alerts ask for, told by the real exporters. */
export async function grounds({ tell }: Trial): Promise<void> {
  const asked = GROUND_METRICS.filter((name) => !TOLD_LATER.test(name));
  for (const name of asked) await until(`the metric ${name}`, () => isTold(name));
  tell(`metrics of PostgreSQL, the disks and the backups: ${asked.join(', ')}`);
  await until('Temporal to be scraped', () => isTold('up{job="temporal"} == 1'));
}

/** SIGTERM ends the API with 0, and the proxy answers by itself meanwhile. */
export async function stopsOnSigterm({ deployment, tell }: Trial): Promise<void> {
  const begun = performance.now();
  await deployment.compose('stop', 'api');
  const codes = await exitCodesOf(deployment, 'api');
  requireThat(
    codes.every((code) => code === 0),
    `the API ended with ${codes.join(', ')}`,
  );
  tell(`SIGTERM: both APIs ended with 0 after ${since(begun)} s`);
  await start(deployment, 'api');
  await until('the API to answer', async () => (await httpStatus(`${API}/health/ready`)) === 200);
}
