import { expectJson, type Caller } from '../load/caller.ts';
import { cloneAppointments } from './clone-appointments.ts';
import type { Service } from './start-service.ts';

const PLACES_A_DAY = 18;
const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const OPENINGS = [
  ['08:00', '13:00'],
  ['14:00', '18:00'],
];

/**
 * Half-hour appointments at 18 places of every professional's day, from a year ago on, two of three of them still to be
 * kept. The clinic's zone is UTC, its days end at 18:00.
 */
export async function fillCalendar(service: Service, caller: Caller, appointments: number): Promise<void> {
  const { tenantId, professionals, service: serviceTypeId } = caller.clinic;
  await service.sql.query('UPDATE service_type SET duration_minutes = 30 WHERE id = $1', [serviceTypeId]);
  const businessHours = Object.fromEntries(WEEKDAYS.map((day) => [day, OPENINGS]));
  await expectJson(caller.send('PATCH', '/v1/tenants/me', { config: { timezone: 'UTC', businessHours } }));
  const { id } = await expectJson<{ id: string }>(
    caller.send('POST', '/v1/appointments', caller.nextBooking()),
  );
  await cloneAppointments(service, {
    tenantId,
    templateId: id,
    count: appointments,
    changes: `(SELECT jsonb_build_object(
        'professional_id', ($3::uuid[])[1 + i % cardinality($3::uuid[])],
        'starts_at', start, 'ends_at', start + interval '30 minutes',
        'block_from', start, 'block_until', start + interval '30 minutes',
        'status', status, 'blocks', status = 'confirmed')
      FROM (SELECT
        date_trunc('day', now() - interval '1 year') + interval '8 hours'
          + interval '1 day' * (i / cardinality($3::uuid[]) / ${PLACES_A_DAY})
          + interval '30 minutes' * (i / cardinality($3::uuid[]) % ${PLACES_A_DAY}) AS start,
        CASE WHEN i % 3 = 0 THEN 'cancelled' ELSE 'confirmed' END AS status))`,
    parameters: [professionals],
  });
}
