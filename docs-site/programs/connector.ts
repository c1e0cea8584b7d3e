#!/usr/bin/env node
// Keeps a practice's appointment book and the service in sync, both ways. Node 22.18 or newer, no dependencies:
//
//   export API_URL=https://… API_KEY=svc_…
//   node connector.ts import visits.json          once, before anything else
//   ENDPOINT_ID=… node connector.ts               reads the queue of a pull endpoint
//   WEBHOOK_SECRET=whsec_… node connector.ts      receives events at /hook: let a proxy with TLS pass on this path alone
//
// Your software sends its changes to http://127.0.0.1:8090 (PORT): POST /visits, PATCH /visits/ID, GET /book.
// STATE_FILE (connector.jsonl) is the book. In your software, the five tables below are tables of its database.

import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const { API_URL = '', API_KEY = '', ENDPOINT_ID = '', WEBHOOK_SECRET = '' } = process.env;
const { STATE_FILE = 'connector.jsonl', PORT = '8090' } = process.env;
const CATCH_UP_EVERY_MS = 3_600_000;
const MAX_BODY_BYTES = 256 * 1024;

interface Appointment {
  id: string;
  version: number;
  externalId: string | null;
  status: string;
  source: string;
  replacement?: Appointment;
}

/** A change of yours that the service has not responded to yet. */
interface Wish {
  /** A repeat with the same key returns the first response again. */
  key: string;
  /** None for a new appointment. */
  id?: string;
  /** The version that the desk saw. */
  version?: number | undefined;
  body: object;
}

type Imported = { items: { externalId: string; result: string; error: string | null }[] };
type ChangedPage = { items: Appointment[]; hasMore: boolean; syncedUntil: string; nextCursor: string };
type QueuePage = { items: { event: string }[]; cursor: string };
type Refusal = { error: string; message: string; appointment?: Appointment };
type Answer<Body> = { isDone: boolean; answer: Body & Refusal };

const tables = {
  book: new Map<string, Appointment>(),
  wishes: new Map<string, Wish>(),
  forTheDesk: new Map<string, string>(),
  /** Versions that the book has, by appointment. */
  toAcknowledge: new Map<string, number>(),
  /** How far the lists and the queue were read. */
  progress: new Map<string, string>(),
};
let changes: unknown[] = [];
function put(name: keyof typeof tables, key: string, row: unknown): void {
  const table = tables[name] as Map<string, unknown>;
  if (row === null) table.delete(key);
  else table.set(key, row);
  changes.push([name, key, row]);
}

/** Writes everything that was put since the last commit as one line, so that a crash leaves all of it or nothing. */
function commit(): void {
  if (changes.length === 0) return;
  appendFileSync(STATE_FILE, `${JSON.stringify(changes)}\n`, { flush: true });
  changes = [];
}

function load(): void {
  const text = existsSync(STATE_FILE) ? readFileSync(STATE_FILE, 'utf8') : '';
  // A crash can cut off the last line: it was not committed.
  for (const line of text.split('\n').slice(0, -1))
    for (const [name, key, row] of JSON.parse(line)) put(name, key, row);
  const rows = Object.entries(tables).flatMap(([name, table]) => [...table].map((row) => [name, ...row]));
  writeFileSync(`${STATE_FILE}.new`, `${JSON.stringify(rows)}\n`, { mode: 0o600, flush: true });
  renameSync(`${STATE_FILE}.new`, STATE_FILE);
  changes = [];
}

/** Someone at the practice books. */
export function wishFor(visit: object): void {
  addWish({ body: { source: 'sync_external', externalId: randomUUID(), ...visit } });
  commit();
}

/** Someone at the practice changes an appointment as the book shows it. */
export function wishToChange(id: string, body: object): void {
  addWish({ id, version: tables.book.get(id)?.version, body });
  commit();
}

function addWish(wish: Omit<Wish, 'key'>): void {
  const key = randomUUID();
  put('wishes', key, { key, ...wish });
}

/** Stores an appointment from a response, an event or a list, unless the book has the same or a newer version. */
function take(appointment: Appointment): void {
  const { id, version, externalId, status, source } = appointment;
  if ((tables.book.get(id)?.version ?? 0) >= version) return;
  put('book', id, appointment);
  if (source !== 'sync_external' || version > 1) put('toAcknowledge', id, version);
  const isNumbered =
    externalId !== null ||
    [...tables.wishes.values()].some((wish) => wish.id === id && 'externalId' in wish.body);
  // Someone else booked it: give it your ID, whatever happens to it later.
  if (!isNumbered && status === 'confirmed') addWish({ id, body: { externalId: randomUUID() } });
}

/** An event with a valid signature, or from the queue. Return 2xx after this. */
export function receive({ data }: { data: Record<string, unknown> }): void {
  for (const shown of ['appointment', 'original', 'replacement'])
    if (data[shown]) take(data[shown] as Appointment);
  commit();
}

/** The first import: everything that the book had before. Run it again until it ends. */
export async function importAll(visits: { externalId: string }[]): Promise<void> {
  for (let at = 0; at < visits.length; at += 500) {
    const body = { items: visits.slice(at, at + 500) };
    const { isDone, answer } = await send<Imported>('POST', '/v1/appointments/import', { body });
    if (!isDone) throw new Error(answer.message);
    for (const { externalId, result, error } of answer.items)
      if (result === 'refused') put('forTheDesk', externalId, `${error}: ${externalId}`);
    commit();
  }
}

/** Sends the wishes, in order, then the acknowledgements. */
export async function push(): Promise<void> {
  for (let [wish] = tables.wishes.values(); wish; [wish] = tables.wishes.values()) {
    const path = wish.id ? `/v1/appointments/${wish.id}` : '/v1/appointments';
    const { isDone, answer } = await send<Appointment>(wish.id ? 'PATCH' : 'POST', path, wish);
    if (isDone) follow(wish, answer);
    else await giveWay(wish, answer);
    put('wishes', wish.key, null);
    commit();
  }
  for (const [id, version] of tables.toAcknowledge) {
    const path = `/v1/appointments/${id}/acknowledgement`;
    const { isDone, answer } = await send('PUT', path, { body: { version, state: 'written' } });
    if (!isDone) put('forTheDesk', id, `${answer.error}: ${answer.message}`);
    if (tables.toAcknowledge.get(id) === version) put('toAcknowledge', id, null);
    commit();
  }
}

/** Book and later wishes continue with the appointment's new version or replacement. */
function follow(wish: Wish, { replacement, ...appointment }: Appointment): void {
  const { id, version } = replacement ?? appointment;
  for (const later of tables.wishes.values())
    if (wish.id && later.id === wish.id && later.key !== wish.key)
      put('wishes', later.key, { ...later, id, version: later.version && version });
  take(appointment);
  if (replacement) take(replacement);
}

/** The service keeps its appointment: the book follows, and the desk decides again. */
async function giveWay(wish: Wish, refusal: Refusal) {
  if (refusal.error === 'already_booked' && refusal.appointment) return follow(wish, refusal.appointment);
  const current = wish.id && (await send<Appointment>('GET', `/v1/appointments/${wish.id}`));
  put('forTheDesk', wish.key, `${refusal.error}: ${refusal.message}`);
  if (current && current.isDone) take(current.answer);
}

/** Stores what changed since the last time: at the start, after an outage, and every hour. */
export async function catchUp(): Promise<void> {
  const updatedSince = tables.progress.get('syncedUntil') ?? '2000-01-01T00:00:00Z';
  const query = new URLSearchParams({ updatedSince });
  for (;;) {
    const { isDone, answer: page } = await send<ChangedPage>('GET', `/v1/appointments?${query.toString()}`);
    if (!isDone) throw new Error(page.message);
    for (const appointment of page.items) take(appointment);
    if (!page.hasMore) put('progress', 'syncedUntil', page.syncedUntil);
    commit();
    if (!page.hasMore) return;
    query.set('cursor', page.nextCursor);
  }
}

/** Sends a request until there is a final response. */
async function send<Body>(method: string, path: string, wish: Partial<Wish> = {}): Promise<Answer<Body>> {
  const headers = {
    Authorization: `Bearer ${API_KEY}`,
    'Content-Type': 'application/json',
    ...(wish.key && { 'Idempotency-Key': wish.key }),
    ...(wish.version && { 'If-Match': `"${wish.version}"` }),
  };
  const body = wish.body ? JSON.stringify(wish.body) : null;
  for (let waitMs = 50; ; waitMs = Math.min(2 * waitMs, 30_000)) {
    const signal = AbortSignal.timeout(60_000);
    const response = await fetch(API_URL + path, { method, headers, body, signal }).catch(() => null);
    const answer = (await response?.json().catch(() => null)) as (Body & Refusal) | null | undefined;
    if (response?.status === 401) throw new Error(answer?.message);
    // Without a response it is unknown whether the request was carried out: the key makes a repeat safe.
    const isPassing = !response || response.status >= 500 || response.status === 429;
    if (answer && !isPassing && answer.error !== 'idempotency_in_progress')
      return { isDone: response.ok, answer };
    await pause(Math.max(waitMs, 1000 * Math.min(3600, Number(response?.headers.get('Retry-After')) || 0)));
  }
}

/** Reads the queue of a pull endpoint. The cursor ends a page's deliveries once the book has them. */
async function readQueue(): Promise<never> {
  for (;;) {
    const cursor = tables.progress.get('cursor');
    const query = new URLSearchParams({ waitSeconds: '25', ...(cursor && { cursor }) });
    const path = `/v1/webhook-endpoints/${ENDPOINT_ID}/queue?${query.toString()}`;
    const { isDone, answer } = await send<QueuePage>('GET', path);
    if (!isDone) throw new Error(answer.message);
    for (const { event } of answer.items) receive(JSON.parse(event));
    put('progress', 'cursor', answer.cursor);
    commit();
    tell();
  }
}

let tell = (): void => undefined;
/** Sends what is waiting in the book, as soon as there is something. */
async function sendChanges(): Promise<never> {
  for (;;) {
    const { promise, resolve } = Promise.withResolvers<void>();
    tell = resolve;
    await push();
    await promise;
  }
}

/** https://…/docs/webhooks#verify-the-signature */
function isGenuine(header: string, body: Buffer): boolean {
  const parts = header.split(',').map((part) => part.split('='));
  const time = parts.find(([name]) => name === 't')?.[1] ?? '';
  if (!/^\d{1,12}$/.test(time) || Math.abs(Date.now() / 1000 - Number(time)) > 300) return false;
  const expected = createHmac('sha256', WEBHOOK_SECRET).update(`${time}.`).update(body).digest();
  return parts.some(([name, value = '']) => {
    const given = Buffer.from(value, 'hex');
    return name === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}

export function report() {
  const [book, forTheDesk] = [[...tables.book.values()], [...tables.forTheDesk.values()]];
  return { book, forTheDesk, wishes: tables.wishes.size, unacknowledged: tables.toAcknowledge.size };
}

/** Events come to /hook; everything else is for the practice's own software. Returns the status and the answer. */
async function respond(request: IncomingMessage): Promise<[status: number, answer: object]> {
  const { method, url = '', headers } = request;
  const isEvent = method === 'POST' && url === '/hook';
  // A web page in a browser on this machine sends an origin, or names another host.
  const isLocal = !headers.origin && /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(headers.host ?? '');
  if (!isEvent && !isLocal) return [403, { error: 'not_local' }];
  if (method === 'GET' && url === '/book') return [200, report()];
  if (!(Number(headers['content-length']) <= MAX_BODY_BYTES)) return [413, { error: 'too_large' }];
  const body = await buffer(request);
  if (isEvent) {
    const isSigned = WEBHOOK_SECRET && isGenuine(String(headers['x-service-signature']), body);
    if (!isSigned) return [401, { error: 'signature' }];
    receive(JSON.parse(body.toString()));
  } else if (method === 'POST' && url === '/visits') wishFor(JSON.parse(body.toString()));
  else if (method === 'PATCH' && url.startsWith('/visits/'))
    wishToChange(url.slice('/visits/'.length), JSON.parse(body.toString()));
  else return [404, { error: 'not_found' }];
  tell();
  return [200, {}];
}

function serve(): void {
  const server = createServer((request, response) => {
    void respond(request)
      .catch((error: unknown): [number, object] => {
        // A commit failed and may have left half a line, which only the next start leaves out.
        if (changes.length > 0) throw error;
        return [400, { error: String(error) }];
      })
      .then(([status, body]) => response.writeHead(status).end(JSON.stringify(body)));
  });
  server.listen(Number(PORT), '127.0.0.1', () => console.log(`ready at http://127.0.0.1:${PORT}`));
}

async function main(): Promise<void> {
  const isImport = process.argv[2] === 'import';
  if (!API_URL || !API_KEY || (!isImport && Boolean(ENDPOINT_ID) === Boolean(WEBHOOK_SECRET))) {
    console.error('Set API_URL, API_KEY and either ENDPOINT_ID (pull) or WEBHOOK_SECRET (push).');
    process.exit(2);
  }
  load();
  if (isImport) return importAll(JSON.parse(readFileSync(process.argv[3] ?? '', 'utf8')));
  serve();
  await catchUp();
  setInterval(() => void catchUp().then(tell), CATCH_UP_EVERY_MS);
  await Promise.all([sendChanges(), ...(ENDPOINT_ID ? [readQueue()] : [])]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
