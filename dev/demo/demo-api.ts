import { z } from 'zod';

const appointment = z.object({ id: z.string(), status: z.string(), startsAt: z.string() });
export type DemoAppointment = z.infer<typeof appointment>;

const conflict = z.object({
  error: z.literal('slot_conflict'),
  alternatives: z.array(z.object({ professionalId: z.string(), startsAt: z.string() })).min(1),
});

export interface Booking {
  professionalId: string;
  serviceTypeId: string;
  patientName: string;
  patientPhone: string;
  startsAt: string;
}

/** What a practice management system would do. */
export interface DemoApi {
  /** Takes the first alternative that the service offers when the slot is taken. */
  book(booking: Booking): Promise<DemoAppointment>;
  setStatus(id: string, status: 'attended' | 'cancelled'): Promise<DemoAppointment>;
}

export function createDemoApi(apiUrl: string, key: string, stopping: AbortSignal): DemoApi {
  async function send(
    method: string,
    path: string,
    body: object,
  ): Promise<{ status: number; body: unknown }> {
    const answer = await fetch(apiUrl + path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: stopping,
    });
    return { status: answer.status, body: await answer.json() };
  }

  async function book(booking: Booking): Promise<DemoAppointment> {
    const answer = await send('POST', '/v1/appointments', booking);
    if (answer.status === 201) return appointment.parse(answer.body);
    const taken = conflict.safeParse(answer.body);
    const [free] = taken.data?.alternatives ?? [];
    if (!free)
      throw new Error(`POST /v1/appointments answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return book({ ...booking, ...free });
  }

  return {
    book,
    async setStatus(id, status) {
      const answer = await send('PATCH', `/v1/appointments/${id}`, { status });
      if (answer.status === 200) return appointment.parse(answer.body);
      throw new Error(`PATCH /v1/appointments answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    },
  };
}
