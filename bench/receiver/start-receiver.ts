import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { issueServerCertificate, keepLocalCa } from '../../dev/data-directory/local-ca.ts';
import type { Service } from '../service/start-service.ts';

/** One request that arrived whole. */
export interface Arrival {
  /** Its last byte, by the machine's monotonic clock. */
  at: number;
  path: string;
  eventId: string;
  /** `<appointment id>:<version>`: which change of which appointment it tells. */
  change: string | null;
}

export interface Totals {
  /** Events that had to arrive and did not. */
  lost: number;
  /** Requests beyond the first of each event that was answered well. */
  repeated: number;
}

/** A clinic's receiver in a process of its own, with a certificate that the service trusts. */
export interface Receiver {
  /** @param path how it answers: `/hook`, `/hang`, `/then-hang/100`, `/flaky` */
  url(path?: string): string;
  /** What has arrived since the last call. */
  take(): Promise<Arrival[]>;
  /** Says that the event of this change has to arrive. */
  expect(change: string): void;
  /** Since the receiver started and as far as taken. */
  totals(): Totals;
  stop(): void;
}

/** @param host `localhost` or `127.0.0.1`: two receivers that the service must take for two hosts */
export async function startReceiver({ dataDirectory }: Service, host = 'localhost'): Promise<Receiver> {
  const file = (name: string) => join(dataDirectory, name);
  const ca = await keepLocalCa(file('dev-ca.pem'), file('dev-ca-key.pem'));
  const { certificatePem, keyPem } = await issueServerCertificate(ca);
  const child = fork(new URL('receiver-main.ts', import.meta.url), {
    env: { PATH: process.env['PATH'], CERTIFICATE: certificatePem, KEY: keyPem },
  });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  let questions = 0;
  const counts = createCounts();
  const asked = new Map<number, (arrivals: Arrival[]) => void>();
  child.on('message', (message) => {
    const { id, arrivals } = message as { id: number; arrivals: Arrival[] };
    for (const arrival of arrivals) counts.note(arrival);
    asked.get(id)?.(arrivals);
    asked.delete(id);
  });
  return {
    expect: counts.expect,
    totals: counts.totals,
    url: (path = '/hook') => `https://${host}:${port}${path}`,
    take: () =>
      new Promise((resolve) => {
        questions += 1;
        asked.set(questions, resolve);
        child.send(questions);
      }),
    stop: () => child.disconnect(),
  };
}

function createCounts() {
  const [expected, arrived, answered] = [new Set<string>(), new Set<string>(), new Set<string>()];
  let repeated = 0;
  return {
    note({ change, eventId, path }: Arrival): void {
      if (change !== null) arrived.add(change);
      // An event that was not answered, or not well, is rightly sent again.
      if (/^\/(hang|then-hang|flaky)\b/.test(path)) return;
      const key = `${eventId} ${path}`;
      if (answered.has(key)) repeated += 1;
      answered.add(key);
    },
    expect: (change: string) => void expected.add(change),
    totals: () => ({ lost: [...expected].filter((change) => !arrived.has(change)).length, repeated }),
  };
}
