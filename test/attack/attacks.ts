import { uuidv7 } from 'uuidv7';
import { evenly } from '../../bench/load/pace.ts';
import { pausingUploads, unread } from './held-connections.ts';
import { rollingKey, secondBooking } from './open-doors.ts';
import {
  aFullClinic,
  aVisit,
  BIG_LIST,
  DAY_MS,
  moreKeys,
  send,
  type Attack,
  type ClinicKeys,
  type Sent,
} from './target.ts';

const DOCUMENTS = ['/openapi.json', '/docs', '/collection.json'];

type Asked = [method: string, path: string, sent?: Sent];

/** Sends at an even pace and counts the statuses. */
async function flood(
  baseUrl: string,
  perSecond: number,
  seconds: number,
  nth: (at: number) => Asked,
): Promise<string> {
  const statuses: Record<number, number> = {};
  let at = 0;
  await evenly(perSecond, perSecond * seconds, async () => {
    const [method, path, sent] = nth(at++);
    const { status } = await send(baseUrl, method, path, sent);
    statuses[status] = (statuses[status] ?? 0) + 1;
  });
  return Object.entries(statuses)
    .map(([status, count]) => `${count} × ${status === '0' ? 'cut off' : status}`)
    .join(', ');
}

function aFlood(name: string, perSecond: number, nth: (at: number) => Asked): Attack {
  return {
    name,
    prepare:
      async ({ apiUrl }) =>
      (seconds) =>
        flood(apiUrl, perSecond, seconds, nth),
  };
}

/** A flood by one key, or by many keys of one clinic. */
function aKeyedFlood(
  name: string,
  perSecond: number,
  { keys = 1, isFull = false }: { keys?: number; isFull?: boolean },
  nth: (at: number, clinic: ClinicKeys) => Asked,
): Attack {
  return {
    name,
    async prepare(target) {
      const clinic = isFull ? await aFullClinic(target) : await target.newClinic();
      const all = [clinic.key, ...(await moreKeys(target, clinic, keys - 1))];
      return (seconds) =>
        flood(target.apiUrl, perSecond, seconds, (at) => {
          const [method, path, sent] = nth(at, clinic);
          return [method, path, { ...sent, key: all[at % all.length] }];
        });
    },
  };
}

const everyAddress = (at: number) => `127.0.${1 + (Math.floor(at / 250) % 200)}.${1 + (at % 250)}`;
const aDocument = (at: number): [string, string] => [
  at % 2 === 0 ? 'HEAD' : 'GET',
  DOCUMENTS[at % DOCUMENTS.length] ?? '',
];

const BAD_REQUESTS: Asked[] = [
  ['GET', '/nothing/here'],
  ['GET', '/v1/services', { key: 'cal_test_nonsense' }],
  ['GET', `/v1/recordings/${uuidv7()}?expires=9999999999&signature=nonsense`],
  ['GET', '/v1/services'],
];

const MANY_FIELDS = Object.fromEntries(Array.from({ length: 600 }, (_, i) => [`f${i}`, 1]));
const UNKNOWN_FIELDS = JSON.stringify({ items: Array.from({ length: 500 }, () => MANY_FIELDS) });
const BAD_BODIES = [
  '['.repeat(100_000) + ']'.repeat(100_000),
  `{"a":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`,
  JSON.stringify({ items: Array.from({ length: 50_000 }, () => 0) }),
  'x'.repeat(255_000),
  JSON.stringify({ metadata: MANY_FIELDS, patientName: '\u0301'.repeat(60_000) }),
];

const SIXTY_TWO_DAYS = 62 * DAY_MS;

function aSearch({ serviceTypeId }: ClinicKeys): Asked {
  const [from, to] = [Date.now() + DAY_MS, Date.now() + SIXTY_TWO_DAYS].map((ms) =>
    new Date(ms).toISOString(),
  );
  const body = { serviceTypeId, from, to, notBefore: '23:50', limit: 20 };
  return ['POST', '/v1/availability/search', { body }];
}

function atDashboard(name: string, perSecond: number, nth: (at: number) => Asked): Attack {
  return {
    name,
    needsDashboard: true,
    prepare:
      async ({ dashboardUrl }) =>
      (seconds) =>
        flood(dashboardUrl ?? '', perSecond, seconds, nth),
  };
}

export const ATTACKS: readonly Attack[] = [
  aFlood('documents, 300/s from one address', 300, aDocument),
  aFlood('documents, 300/s from many addresses', 300, (at) => [...aDocument(at), { from: everyAddress(at) }]),
  aFlood(
    '404s, bad keys and bad links, 300/s',
    300,
    (at) => BAD_REQUESTS[at % BAD_REQUESTS.length] ?? ['GET', '/'],
  ),
  unread('150 sockets that never read a 3 MB list', { sockets: 150 }),
  { ...unread('30 sockets with 20 pipelined requests', { sockets: 30, asks: 20 }), isLong: true },
  unread('60 sockets that read 10 KB a second', { sockets: 60, reads: 10_000 }),
  aKeyedFlood('imports of 500 × 600 unknown fields, 2/s', 2, {}, () => [
    'POST',
    '/v1/appointments/import',
    { body: UNKNOWN_FIELDS },
  ]),
  aKeyedFlood('deep, huge and garbage bodies, 20/s', 20, {}, (at) => [
    'POST',
    '/v1/appointments',
    { body: BAD_BODIES[at % BAD_BODIES.length] },
  ]),
  aKeyedFlood('one key, 25 big lists a second', 25, { isFull: true }, () => ['GET', BIG_LIST]),
  {
    ...aKeyedFlood('60 keys of a clinic, 100 big lists a second', 100, { keys: 60, isFull: true }, () => [
      'GET',
      BIG_LIST,
    ]),
    isLong: true,
  },
  aKeyedFlood('searches of 62 days, 25/s', 25, {}, (_, clinic) => aSearch(clinic)),
  aKeyedFlood('imports of 100 visits, 2/s', 2, {}, (at, clinic) => [
    'POST',
    '/v1/appointments/import',
    { body: { items: Array.from({ length: 100 }, (_, i) => aVisit(clinic, at * 100 + i)) } },
  ]),
  pausingUploads,
  atDashboard('public booking pages from three addresses, 60/s', 60, (at) => [
    'GET',
    '/book/no-such-clinic',
    { from: `127.0.0.${2 + (at % 3)}` },
  ]),
  atDashboard('1,500 forged /signed-in', 150, (at) => [
    'GET',
    `/signed-in?code=${at}&state=forged`,
    {
      headers: {
        cookie: `sign_in=${encodeURIComponent(JSON.stringify({ state: 'forged', verifier: 'x' }))}`,
      },
    },
  ]),
  rollingKey,
  secondBooking,
];
