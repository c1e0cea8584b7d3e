import type { TLSSocket } from 'node:tls';
import { expect } from '@jest/globals';
import { createWebhookClient, type AttemptOutcome } from '../../adapters/webhooks/webhook-client.ts';
import { ERROR_CLASSES } from '../../domain/webhooks/attempt-error.ts';
import { createTestAuthority } from '../support/servers/certificates.ts';
import { startTlsServer } from '../support/servers/receiver.ts';
import { residentBytes } from '../support/resident-bytes.ts';
import { broken, inPieces } from './broken-http.ts';
import { chanceOf, type Chance } from './chance.ts';

const AT_ONCE = 64;
const DEADLINE_MS = 500;
/** Of a busy machine, which is not what is tried here. */
const LATE_MS = 30_000;
const EXCERPT_BYTES = 16_384;
const GROWTH_BYTES = 300_000_000;

const ANSWERS = [
  'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello',
  'HTTP/1.1 204 No Content\r\nDate: Mon, 02 Mar 2026 09:30:00 GMT\r\n\r\n',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX-Trailer: 1\r\n\r\n',
  'HTTP/1.1 302 Found\r\nLocation: https://127.0.0.1/inside\r\nContent-Length: 0\r\n\r\n',
  'HTTP/1.1 500 Internal Server Error\r\nConnection: close\r\n\r\nsomething went wrong',
  'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
  'HTTP/1.0 200 OK\r\n\r\nuntil the end',
] as const;

/**
 * Lets the client of webhooks post to a receiver that answers every post in another broken way. Whatever comes: each attempt has an
 * outcome, within its deadline, that says what the receiver did and holds no more of it than may be stored; and none is thrown.
 */
export async function postToBrokenReceiver(seed: number, count: number): Promise<Map<string, number>> {
  const authority = await createTestAuthority();
  const receiver = await startTlsServer(await authority.issue(), (socket) => answerBrokenly(socket, seed));
  const client = createWebhookClient({
    allowedCidrs: ['127.0.0.0/8', '::1/128'],
    extraCaPem: authority.caPem,
    deadlineMs: DEADLINE_MS,
  });
  const outcomes = new Map<string, number>();
  const before = residentBytes(process.pid);
  let next = 0;
  const postOneByOne = async () => {
    while (next < count) {
      const number = next++;
      const headers = { 'X-Case': String(number) };
      const outcome = await client
        .post({ url: receiver.url, headers, body: '{"id":"evt_1"}' })
        .catch((error: unknown) => {
          throw new Error(`case ${number} of seed ${seed} was thrown`, { cause: error });
        });
      expectSound(outcome, `case ${number} of seed ${seed}`);
      const kind = outcome.errorClass ?? 'succeeded';
      outcomes.set(kind, (outcomes.get(kind) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, postOneByOne));
  await client.close();
  await receiver.close();
  expect(residentBytes(process.pid) - before).toBeLessThan(GROWTH_BYTES);
  return outcomes;
}

function expectSound(outcome: AttemptOutcome, which: string): void {
  const { responseStatus: status, responseExcerpt: excerpt, errorClass, durationMs } = outcome;
  const isSuccess = status !== null && status >= 200 && status < 300;
  expect([which, outcome.outcome]).toEqual([which, isSuccess ? 'succeeded' : 'failed']);
  expect([which, errorClass === null]).toEqual([which, isSuccess]);
  expect([which, errorClass === null || ERROR_CLASSES.includes(errorClass)]).toEqual([which, true]);
  expect([which, excerpt === null]).toEqual([which, status === null]);
  expect([which, excerpt?.includes('\0') ?? false]).toEqual([which, false]);
  expect([which, Buffer.byteLength(excerpt ?? '') <= EXCERPT_BYTES]).toEqual([which, true]);
  expect([which, durationMs < DEADLINE_MS + LATE_MS]).toEqual([which, true]);
}

/** Which case it is the request says, so that a case is the same whenever it comes. */
function answerBrokenly(socket: TLSSocket, seed: number): void {
  let heard = '';
  socket.on('data', (piece: Buffer) => {
    heard += piece.toString('latin1');
    const number = /X-Case: (\d+)\r\n/i.exec(heard)?.[1];
    if (number === undefined || !heard.includes('\r\n\r\n')) return;
    heard = '';
    answerOne(socket, chanceOf(seed * 1_000_003 + Number(number)));
  });
}

function answerOne(socket: TLSSocket, chance: Chance): void {
  const answer = broken(Buffer.from(chance.oneOf(ANSWERS), 'latin1'), chance);
  for (const piece of inPieces(answer, chance)) socket.write(piece);
  const ends: [() => void, ...(() => void)[]] = [
    () => undefined,
    () => socket.end(),
    () => socket.end(),
    () => socket.destroy(),
    () => setImmediate(() => socket.destroy()),
  ];
  chance.oneOf(ends)();
}
