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
  type: string;
  /** When the service says it happened. */
  createdAt: string;
  /** `<appointment id>:<version>`: which change of which appointment it tells. */
  change: string | null;
}

/** A clinic's receiver in a process of its own, with a certificate that the service trusts. */
export interface Receiver {
  /** @param path how it answers: `/hook`, `/late/100`, `/hang`, `/flaky` */
  url(path?: string): string;
  /** What has arrived since the last call. */
  take(): Promise<Arrival[]>;
  /** Requests beyond the first of each event that was answered, since the receiver started and as far as taken. */
  repeated(): number;
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
  const answered = createRepeatCount();
  const asked = new Map<number, (arrivals: Arrival[]) => void>();
  child.on('message', (message) => {
    const { id, arrivals } = message as { id: number; arrivals: Arrival[] };
    for (const arrival of arrivals) answered.note(arrival);
    asked.get(id)?.(arrivals);
    asked.delete(id);
  });
  return {
    repeated: answered.repeated,
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

/** An event that was not answered, or not well, is rightly sent again. */
function createRepeatCount() {
  const seen = new Set<string>();
  let count = 0;
  return {
    note({ eventId, path }: Arrival): void {
      if (path === '/hang' || path === '/flaky') return;
      const key = `${eventId} ${path}`;
      if (seen.has(key)) count += 1;
      seen.add(key);
    },
    repeated: () => count,
  };
}
