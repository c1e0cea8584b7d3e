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
export function createDemoApi(apiUrl: string, key: string, stopping: AbortSignal) {
  async function send(method: string, path: string, sent: object) {
    const answer = await fetch(apiUrl + path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(sent),
      signal: stopping,
    });
    const body: unknown = await answer.json();
    const refusal = new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(body)}`);
    return { status: answer.status, body, refusal };
  }
  return {
    /** Takes the first alternative that the service offers when the slot is taken. */
    async book(booking: Booking): Promise<DemoAppointment> {
      const { status, body, refusal } = await send('POST', '/v1/appointments', booking);
      if (status === 201) return appointment.parse(body);
      const [free] = conflict.safeParse(body).data?.alternatives ?? [];
      if (!free) throw refusal;
      return this.book({ ...booking, ...free });
    },
    async setStatus(id: string, to: 'attended' | 'cancelled'): Promise<DemoAppointment> {
      const { status, body, refusal } = await send('PATCH', `/v1/appointments/${id}`, { status: to });
      if (status === 200) return appointment.parse(body);
      throw refusal;
    },
  };
}
