import { expectJson, type Caller } from '../load/caller.ts';
import { cloneAppointments } from './clone-appointments.ts';
import type { Service } from './start-service.ts';

/** More than any clinic of one house has. */
export const FULL_DAY = { professionals: 60, appointments: 5_000 };

const DAYS_AHEAD = 300;
const MINUTES_APART = 17;

/** Appointments of ten minutes, as many for each of the clinic's professionals; returns their day. */
export async function fillFullDay(service: Service, caller: Caller): Promise<string> {
  const { id } = await expectJson<{ id: string }>(
    caller.send('POST', '/v1/appointments', caller.nextBooking()),
  );
  const day = new Date(Date.now() + DAYS_AHEAD * 86_400_000).toISOString().slice(0, 10);
  const { tenantId, professionals } = caller.clinic;
  await cloneAppointments(service, {
    tenantId,
    templateId: id,
    count: FULL_DAY.appointments,
    nameOf: (i) => `Maria da Conceição Fernandes ${i}`,
    changes: `(SELECT jsonb_build_object(
        'professional_id', ($3::uuid[])[1 + i % cardinality($3::uuid[])],
        'patient_notes', 'Notes', 'source', 'voice_ai',
        'starts_at', start, 'ends_at', start + interval '10 minutes',
        'block_from', start, 'block_until', start + interval '10 minutes')
      FROM (SELECT
        $4::timestamptz + interval '${MINUTES_APART} minutes' * (i / cardinality($3::uuid[])) AS start))`,
    parameters: [professionals, `${day}T00:00Z`],
  });
  return day;
}
