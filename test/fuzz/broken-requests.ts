import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from '@jest/globals';
import { residentBytes } from '../support/resident-bytes.ts';
import type { TestApi } from '../support/servers/api-server.ts';
import { broken, inPieces } from './broken-http.ts';
import { chanceOf, type Chance } from './chance.ts';

const AT_ONCE = 32;
/** What a sender waits who will send no more. */
const PATIENCE_MS = 1000;
const GROWTH_BYTES = 300_000_000;

export type Requests = readonly [Buffer, ...Buffer[]];

/**
 * Sends a server requests that it knows, broken, several on a connection, in pieces, and hangs up in its own ways. Whatever comes:
 * what is answered is HTTP and no fault of ours, and afterwards the process holds no more memory.
 * @returns how often each status was answered
 */
export async function sendBrokenRequests(
  url: string,
  requests: Requests,
  { seed, count }: { seed: number; count: number },
): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  const before = residentBytes(process.pid);
  let next = 0;
  const sendOneByOne = async () => {
    while (next < count) {
      const number = next++;
      const answer = await send(url, requests, chanceOf(seed * 1_000_003 + number));
      for (const status of statusesOf(answer, `case ${number} of seed ${seed}`)) {
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sendOneByOne));
  expect(residentBytes(process.pid) - before).toBeLessThan(GROWTH_BYTES);
  return statuses;
}

/** Of the kinds that the API reads in different ways. */
export async function requestsToApi(api: TestApi): Promise<Requests> {
  const key = await api.keyOf();
  const head = `Host: api.test\r\nAuthorization: Bearer ${key}\r\n`;
  const json = `${head}Content-Type: application/json\r\n`;
  const settings = '{"name":"Clínica Aurora"}';
  const length = Buffer.byteLength(settings);
  const texts = [
    `PATCH /v1/tenants/me HTTP/1.1\r\n${json}Content-Length: ${length}\r\n\r\n${settings}`,
    `PATCH /v1/tenants/me HTTP/1.1\r\n${json}Transfer-Encoding: chunked\r\n\r\n${length.toString(16)}\r\n${settings}\r\n0\r\n\r\n`,
    `POST /v1/appointments HTTP/1.1\r\n${json}Idempotency-Key: a\r\nIf-Match: "1"\r\nContent-Length: 2\r\n\r\n{}`,
    `GET /v1/calls?limit=5&from=2026-03-02T09:30:00Z&cursor=abc HTTP/1.1\r\n${head}Accept-Encoding: gzip\r\n\r\n`,
    `GET /recordings/0195571c-5a60-7a3e-9f00-2f5d1c9b7a11?expires=1&signature=a HTTP/1.1\r\n${head}Range: bytes=0-5\r\n\r\n`,
    `PUT /v1/calls/0195571c-5a60-7a3e-9f00-2f5d1c9b7a11/recording HTTP/1.1\r\n${head}Content-Type: audio/wav\r\nContent-Length: 4\r\n\r\nRIFF`,
    `GET /docs HTTP/1.1\r\nHost: api.test\r\n\r\n`,
    `OPTIONS * HTTP/1.1\r\nHost: api.test\r\n\r\n`,
  ];
  return asBytes(texts);
}

/** Pages, forms and files, for no one who is known. */
export function requestsToDashboard(): Requests {
  const head = 'Host: dashboard.test\r\nCookie: session=abc; a=b\r\nAccept-Language: pt;q=0.9, en\r\n';
  const form = 'name=Maria+Santos&phone=%2B351912345678&token=a';
  const posted = `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${form.length}\r\n\r\n${form}`;
  return asBytes([
    `GET / HTTP/1.1\r\n${head}\r\n`,
    `GET /signed-in?code=a&state=b HTTP/1.1\r\n${head}\r\n`,
    `GET /book/aurora?service=a&day=2026-03-02 HTTP/1.1\r\n${head}\r\n`,
    `GET /book/a/abc.def HTTP/1.1\r\n${head}\r\n`,
    `GET /health/ready HTTP/1.1\r\n${head}If-None-Match: "a"\r\n\r\n`,
    `POST /search HTTP/1.1\r\n${head}Origin: http://dashboard.test\r\n${posted}`,
    `POST /book/aurora HTTP/1.1\r\n${head}Sec-Fetch-Site: same-origin\r\n${posted}`,
  ]);
}

function asBytes(texts: readonly string[]): Requests {
  const [first = Buffer.alloc(0), ...others] = texts.map((text) => Buffer.from(text));
  return [first, ...others];
}

async function send(url: string, requests: Requests, chance: Chance): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => socket.destroy());
  let answer = '';
  socket.on('data', (piece: Buffer) => (answer += piece.toString('latin1')));
  await once(socket, 'connect');
  const ended = closed(socket);
  for (let left = chance.below(3) + 1; left > 0; left -= 1) {
    const request = chance.oneOf(requests);
    const bytes = chance.below(4) === 0 ? request : broken(request, chance);
    for (const piece of inPieces(bytes, chance)) socket.write(piece);
  }
  leave(socket, chance);
  await ended;
  return answer;
}

/** Also when it was reset, which `once` takes for a failure. */
export function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

function leave(socket: Socket, chance: Chance): void {
  const ways: [() => void, ...(() => void)[]] = [
    () => socket.end(),
    () => socket.end(),
    () => setImmediate(() => socket.destroy()),
    () => setImmediate(() => socket.resetAndDestroy()),
  ];
  chance.oneOf(ways)();
  setTimeout(() => socket.destroy(), PATIENCE_MS).unref();
}

function statusesOf(answer: string, which: string): number[] {
  if (answer !== '') expect([which, answer.slice(0, 9)]).toEqual([which, 'HTTP/1.1 ']);
  const statuses = [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  expect([which, statuses.filter((status) => status >= 500)]).toEqual([which, []]);
  return statuses;
}
