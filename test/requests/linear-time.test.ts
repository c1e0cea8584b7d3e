import { connect } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { uuidv7 } from 'uuidv7';
import { suiteApi } from '../support/servers/api-server.ts';

/** Address and headers of a request may be 16 KiB together. */
const LARGE = 15_000;
const SMALL = LARGE / 4;

/** Four times as much to read takes four times as long, or sixteen times when each part is held against every other. */
const MAX_TIMES_LONGER = 8;

/** Where something may be long, what it reasonably begins with, and a route that reads it. */
const PLACES = {
  query: ['GET /v1/appointments?', 'from=2026-03-02T09:30:00', 'cursor=', 'a='],
  path: ['GET /v1/appointments/', '/', '%', 'search'],
  docs: ['GET /docs', '/', '.'],
  authorization: ['GET /v1/services', 'Bearer ', 'Bearer svc_test_', 'Basic '],
  'x-forwarded-for': ['GET /v1/services', '[::', '1.1.1.1,', '1'],
  'content-type': ['PATCH /v1/tenants/me', 'application/json', 'application/json; charset=', 'audio/'],
  'if-match': [`PATCH /v1/appointments/${uuidv7()}`, '"3', 'W/', '*'],
  'idempotency-key': ['POST /v1/appointments', 'a', ' '],
  'accept-encoding': ['GET /openapi.json', 'gzip;q=', 'br, '],
  range: [`GET /v1/recordings/${uuidv7()}?expires=1&signature=a`, 'bytes=0-', 'bytes=', 'bytes=1-2,'],
} as const;

type Place = keyof typeof PLACES;

interface Shape {
  place: Place;
  start: string;
  repeated: string;
  end: string;
}

const visible = fc.constantFrom(...'aZ09=&;,:."\'\\/%+-*()[]{}<>@!#?^~|_$'.split(''));
const text = (maxLength: number, minLength = 0) =>
  fc
    .array(fc.oneof(visible, fc.constantFrom(' ', '\t')), { minLength, maxLength })
    .map((all) => all.join(''));

const shape: fc.Arbitrary<Shape> = fc.constantFrom(...(Object.keys(PLACES) as Place[])).chain((place) =>
  fc.record({
    place: fc.constant(place),
    start: fc.constantFrom('', ...PLACES[place].slice(1)),
    repeated: text(4, 1),
    end: text(2),
  }),
);

const api = await suiteApi({ limits: { areDisabled: true, trustedHops: 2 } });
const key = await api.keyOf();

function requestOf({ place, start, repeated, end }: Shape, size: number): string {
  const long = start + repeated.repeat(Math.ceil(size / repeated.length)).slice(0, size) + end;
  const isInAddress = ['query', 'path', 'docs'].includes(place);
  const address = PLACES[place][0] + (isInAddress ? long.replaceAll(/\s/g, '+') : '');
  const headers: Record<string, string> = {
    host: 'api.test',
    connection: 'close',
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'content-length': address.startsWith('GET') ? '0' : '2',
    ...(!isInAddress && { [place]: long }),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `${address} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${address.startsWith('GET') ? '' : '{}'}`;
}

async function timeOf(request: string): Promise<number> {
  const { hostname, port } = new URL(api.url);
  const begunAt = performance.now();
  const socket = connect({ host: hostname, port: Number(port) });
  socket.write(request, 'latin1');
  expect(await readText(socket)).toMatch(/^HTTP\/1\.1 [234]\d\d /);
  return performance.now() - begunAt;
}

/** Of some tries the shortest, so that other work of the machine does not count. */
async function shortestTime(request: string, tries: number): Promise<number> {
  let shortest = Infinity;
  for (let at = 0; at < tries; at += 1) shortest = Math.min(shortest, await timeOf(request));
  return shortest;
}

/** Measured again, and more often, before it counts as too much. */
async function timesLonger(of: Shape): Promise<number> {
  let ratio = Infinity;
  for (let tries = 2; ratio > MAX_TIMES_LONGER && tries <= 16; tries *= 2) {
    const small = await shortestTime(requestOf(of, SMALL), tries);
    ratio = (await shortestTime(requestOf(of, LARGE), tries)) / small;
  }
  return ratio;
}

test('whatever is long in an address or a header, four times as much takes no more than about four times as long', async () => {
  const examples: [Shape][] = [
    [{ place: 'query', start: '', repeated: 'a=b&', end: '' }],
    [{ place: 'content-type', start: 'application/json', repeated: ' ', end: 'x' }],
  ];
  await fc.assert(
    fc.asyncProperty(shape, async (of) => {
      expect(await timesLonger(of)).toBeLessThan(MAX_TIMES_LONGER);
    }),
    { examples, numRuns: 150 },
  );
});
