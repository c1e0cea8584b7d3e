import { performance } from 'node:perf_hooks';
import { until } from '../support/until.ts';
import { exitCodesOf } from './clinic-in-containers.ts';
import { isTold } from './prometheus.ts';
import { requireThat, since, start, type Tell, type Trial } from './trial.ts';

/** The rule looks at a minute and waits for two. */
const ALARM_LIMIT_MS = 240_000;

/**
 * As when the machine is restarted and the workers do not come back: Prometheus has seen them well and not their end, and an alarm
 * about them reaches a mailbox all the same. They end well when they are told to.
 */
export async function alarmMail({ deployment, tell }: Trial): Promise<void> {
  await until('the workers to be scraped', () => isTold('up{job="clinic-worker"} == 1'));
  await deployment.compose('stop', 'prometheus');
  const begun = performance.now();
  await deployment.compose('stop', 'worker');
  try {
    const codes = await exitCodesOf(deployment, 'worker');
    tell(`SIGTERM: workers ended with ${JSON.stringify(codes)} after ${since(begun)} s`);
    const allWell = codes.every((code) => code === 0);
    requireThat(allWell, 'a worker did not end well');
    await start(deployment, 'prometheus');
    await alarm(begun, tell);
  } finally {
    await start(deployment, 'prometheus', 'worker');
  }
}

async function alarm(begun: number, tell: Tell): Promise<void> {
  const firing = 'ALERTS{alertname="WorkerDown",alertstate="firing"}';
  await until('the alert to fire', () => isTold(firing), ALARM_LIMIT_MS);
  tell(`WorkerDown fires ${since(begun)} s after Prometheus and the workers stopped`);
  const subject = await until('the mail', firingMail);
  tell(`alarm: a mail "${subject}" lies in the mail catcher after ${since(begun)} s`);
}

async function firingMail(): Promise<string | undefined> {
  const answer = await fetch('http://127.0.0.1:8025/api/v1/messages');
  const { messages } = (await answer.json()) as { messages: { Subject: string }[] };
  const subjects = messages.map(({ Subject }) => Subject);
  return subjects.find((subject) => subject.startsWith('FIRING critical') && subject.includes('WorkerDown'));
}
