import { uuidv7 } from 'uuidv7';
import { Pool } from 'undici';
import type { Clinic } from '../service/clinics.ts';

export interface Answer {
  /** 0 when no answer came. */
  status: number;
  text: string;
}

/** One clinic's programs: kept-alive connections to the API, and bookings that never meet. */
export interface Caller {
  clinic: Clinic;
  send(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    key?: string,
  ): Promise<Answer>;
  nextBooking(): Record<string, unknown>;
  close(): Promise<void>;
}

export function createCaller(apiUrl: string, clinic: Clinic, connections: number): Caller {
  const pool = new Pool(apiUrl, { connections });
  const headers = { authorization: `Bearer ${clinic.key}`, 'content-type': 'application/json' };
  return {
    clinic,
    async send(method, path, body, key) {
      try {
        const { statusCode, body: stream } = await pool.request({
          method,
          path,
          headers: key === undefined ? headers : { ...headers, 'idempotency-key': key },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        return { status: statusCode, text: await stream.text() };
      } catch {
        return { status: 0, text: '' };
      }
    },
    nextBooking: () => ({
      ...clinic.nextSlot(),
      serviceTypeId: clinic.service,
      patientName: 'Bench Patient',
      patientPhone: '+351910000000',
    }),
    close: () => pool.destroy(),
  };
}

/** @throws Error unless the answer is a 2xx */
export async function expectJson<T>(answer: Promise<Answer>): Promise<T> {
  const { status, text } = await answer;
  if (status < 200 || status > 299) throw new Error(`answered ${status}: ${text.slice(0, 300)}`);
  return (text === '' ? {} : JSON.parse(text)) as T;
}

/** An endpoint of the clinic for every appointment event; returns its id. */
export async function createEndpoint(caller: Caller, url: string): Promise<string> {
  const body = { url, events: ['appointment.*'] };
  const { id } = await expectJson<{ id: string }>(caller.send('POST', '/v1/webhook-endpoints', body));
  return id;
}

/** How an event comes about: a request, and the change (`<appointment id>:<version>`) that it made; null when refused. */
export type Cause = () => Promise<string | null>;

export function booking(caller: Caller): Cause {
  return async () => changeOf(await caller.send('POST', '/v1/appointments', caller.nextBooking()));
}

/** New notes for each of the appointments in turn. */
export function newNotes(caller: Caller, appointmentIds: readonly string[]): Cause {
  let turn = 0;
  return async () => {
    const id = appointmentIds[turn % appointmentIds.length];
    turn += 1;
    return changeOf(await caller.send('PATCH', `/v1/appointments/${id}`, { patientNotes: uuidv7() }));
  };
}

export function changeOf({ status, text }: Answer): string | null {
  if (status < 200 || status > 299) return null;
  const { id, version } = JSON.parse(text) as { id: string; version: number };
  return `${id}:${version}`;
}
