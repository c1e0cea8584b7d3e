import { setTimeout as pause } from 'node:timers/promises';
import { uuidv7 } from 'uuidv7';
import { Agent, request } from 'node:http';

/** About 3 MB in a full clinic. */
export const BIG_LIST = '/v1/appointments?limit=200';

/** A clinic that attacks, or is asked for beside attacks. */
export interface ClinicKeys {
  key: string;
  professionalId: string;
  serviceTypeId: string;
}

/** The processes that are attacked. */
export interface Target {
  apiUrl: string;
  /** Null: no dashboard runs. */
  dashboardUrl: string | null;
  /** By the name of the process. */
  pids: Record<string, number>;
  /** A new clinic with one key that may do everything. */
  newClinic(): Promise<ClinicKeys>;
}

export interface Sent {
  key?: string | undefined;
  body?: unknown;
  headers?: Record<string, string>;
  /** The address that it comes from: one of 127.0.0.0/8. */
  from?: string;
}

export interface Received {
  /** 0: no answer came. */
  status: number;
  headers: Record<string, unknown>;
  text: string;
}

const TIMEOUT_MS = 30_000;
const agent = new Agent({ keepAlive: true, maxSockets: 64 });

export function send(baseUrl: string, method: string, path: string, sent: Sent = {}): Promise<Received> {
  const { key, body, headers, from = '127.0.0.1' } = sent;
  const content = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
  return new Promise((resolve) => {
    const none = () => resolve({ status: 0, headers: {}, text: '' });
    const asked = request(new URL(path, baseUrl), {
      method,
      agent,
      localAddress: from,
      timeout: TIMEOUT_MS,
      headers: {
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...(content !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
    });
    asked.on('timeout', () => asked.destroy()).on('error', none);
    asked.on('response', (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece)).on('error', none);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(pieces).toString(),
        }),
      );
    });
    asked.end(content);
  });
}

/** Throws unless the answer is a 2xx. */
export async function expectBody(answer: Promise<Received>): Promise<Record<string, unknown>> {
  const { status, text } = await answer;
  if (status < 200 || status > 299) throw new Error(`answered ${status}: ${text.slice(0, 300)}`);
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}

/** More keys of a clinic, made by its own key. */
export async function moreKeys({ apiUrl }: Target, { key }: ClinicKeys, count: number): Promise<string[]> {
  const keys: string[] = [];
  for (let made = 0; made < count; made += 1) {
    // Within the limit of 30 a second, so that what is prepared is never refused.
    if (made % 20 === 19) await pause(1000);
    const body = { name: `attack ${made}`, preset: 'pms' };
    keys.push(String((await expectBody(send(apiUrl, 'POST', '/v1/api-keys', { key, body })))['key']));
  }
  return keys;
}

export interface Attack {
  name: string;
  needsDashboard?: true;
  /** Takes too long for `npm test`. */
  isLong?: true;
  /** Makes what the attack needs, and returns how it is carried out for so many seconds. */
  prepare(target: Target): Promise<Assault>;
}

/** @returns what was seen of the attack itself; throws when a rule was broken */
export type Assault = (seconds: number) => Promise<string>;

const FULL = { visits: 200, perImport: 100, metadataBytes: 14_000 };

/** A clinic whose biggest list is about 3 MB. */
export async function aFullClinic(target: Target): Promise<ClinicKeys> {
  const clinic = await target.newClinic();
  const metadata = { text: 'x'.repeat(FULL.metadataBytes) };
  for (let from = 0; from < FULL.visits; from += FULL.perImport) {
    const items = Array.from({ length: FULL.perImport }, (_, i) => ({
      ...aVisit(clinic, from + i),
      metadata,
    }));
    const sent = { key: clinic.key, body: { items } };
    const { items: done } = await expectBody(send(target.apiUrl, 'POST', '/v1/appointments/import', sent));
    const refused = (done as { result: string }[]).find(({ result }) => result === 'refused');
    if (refused) throw new Error(`an import was refused: ${JSON.stringify(refused)}`);
  }
  return clinic;
}

export const DAY_MS = 86_400_000;

export function aVisit({ professionalId, serviceTypeId }: ClinicKeys, at: number) {
  const startsAt = new Date(Date.now() - 300 * DAY_MS + at * 3_600_000).toISOString();
  const patient = { patientName: 'Ana Martins', patientPhone: '+351912345678' };
  return { externalId: uuidv7(), professionalId, serviceTypeId, startsAt, status: 'attended', ...patient };
}
