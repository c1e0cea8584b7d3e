import { z } from 'zod';

const appointment = z.object({ id: z.string(), status: z.string(), startsAt: z.string() });
export type DemoAppointment = z.infer<typeof appointment>;

const conflict = z.object({
  error: z.literal('slot_conflict'),
  alternatives: z.array(z.object({ professionalId: z.string(), startsAt: z.string() })).min(1),
});
const slot = z.object({
  professionalId: z.string(),
  professionalName: z.string(),
  startsAt: z.string(),
  spoken: z.string(),
});
export type DemoSlot = z.infer<typeof slot>;
const hold = z.object({ id: z.string(), expiresAt: z.string() });
const briefing = z.object({
  clinic: z.object({ name: z.string() }),
  now: z.object({ local: z.string() }),
  open: z.boolean(),
  services: z.array(z.unknown()),
  appointments: z.array(z.unknown()),
});
const endpoint = z.object({ id: z.string(), secret: z.string() });
const delivery = z.object({
  id: z.string(),
  status: z.string(),
  attemptCount: z.int(),
  nextAttemptAt: z.string().nullable(),
  workflowId: z.string(),
});

export interface Booking {
  professionalId: string;
  serviceTypeId: string;
  patientName: string;
  patientPhone: string;
  startsAt: string;
  source?: string;
  /** The call in which the appointment is booked, and the hold that keeps its time. */
  callId?: string;
  holdId?: string;
}

/** The time limit for requests that finish even when the demo is interrupted. */
const SEEN_THROUGH_MS = 5000;

/** Acts as a practice management system, and as a voice agent with its telephony. */
export function createDemoApi(apiUrl: string, key: string, stopping: AbortSignal) {
  const send = senderTo(apiUrl, key, stopping);
  async function ask(...what: Parameters<typeof send>): Promise<unknown> {
    const { body, refusal } = await send(...what);
    if (refusal) throw refusal;
    return body;
  }
  return {
    /** Books an appointment; if the slot is taken, books the first alternative. */
    async book(booking: Booking): Promise<DemoAppointment> {
      const { body, refusal } = await send('POST', '/v1/appointments', booking);
      if (!refusal) return appointment.parse(body);
      const [free] = conflict.safeParse(body).data?.alternatives ?? [];
      if (!free) throw refusal;
      return this.book({ ...booking, ...free });
    },
    setStatus: async (id: string, status: 'attended' | 'cancelled') =>
      appointment.parse(await ask('PATCH', `/v1/appointments/${id}`, { status })),
    /** Not interrupted, because the endpoint could not be removed without its id. */
    addEndpoint: async (url: string, events: readonly string[]) => {
      const wanted = { url, events, description: 'Demo' };
      const seenThrough = AbortSignal.timeout(SEEN_THROUGH_MS);
      return endpoint.parse(await ask('POST', '/v1/webhook-endpoints', wanted, seenThrough));
    },
    removeEndpoint: (id: string) =>
      ask('DELETE', `/v1/webhook-endpoints/${id}`, undefined, AbortSignal.timeout(SEEN_THROUGH_MS)),
    newestDeliveryTo: async (endpointId: string) => {
      const page = await ask('GET', `/v1/webhook-deliveries?endpointId=${endpointId}&limit=1`);
      return z.object({ items: z.array(delivery) }).parse(page).items[0];
    },
    search: async (wanted: object) =>
      z.object({ items: z.array(slot) }).parse(await ask('POST', '/v1/availability/search', wanted)),
    hold: async (time: object) => hold.parse(await ask('POST', '/v1/slot-holds', time)),
    calls: requestsAboutCalls(ask),
    retryNow: (deliveryId: string) => ask('POST', `/v1/webhook-deliveries/${deliveryId}/retry-now`),
  };
}

function requestsAboutCalls(ask: (method: string, path: string, sent?: object) => Promise<unknown>) {
  return {
    start: (id: string, start: object) => ask('PUT', `/v1/calls/${id}`, start),
    briefing: async (id: string) => briefing.parse(await ask('GET', `/v1/calls/${id}/briefing`)),
    addEvents: (id: string, events: readonly object[]) => ask('POST', `/v1/calls/${id}/events`, { events }),
    complete: (id: string, end: object) => ask('POST', `/v1/calls/${id}/complete`, end),
  };
}

function senderTo(apiUrl: string, key: string, stopping: AbortSignal) {
  return async (method: string, path: string, sent?: object, signal = stopping) => {
    const answer = await fetch(apiUrl + path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(sent && { body: JSON.stringify(sent) }),
      signal,
    });
    const text = await answer.text();
    const body: unknown = text === '' ? null : JSON.parse(text);
    return {
      body,
      refusal: answer.ok ? null : new Error(`${method} ${path} answered ${answer.status}: ${text}`),
    };
  };
}
