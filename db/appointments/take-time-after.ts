import { uuidv7 } from 'uuidv7';
import { AppointmentEntity, type AppointmentRow } from '../entities/appointment.entity.ts';
import type { EntityManager } from '../connection/open-database.ts';
import { freeHolds } from './slot-holds.ts';
import { insertAppointment } from './insert-appointments.ts';

/**
 * Whether the professional's time from the end of a held appointment's block until `until` is free; then it is the
 * transaction's, and the appointment may grow into it.
 *
 * An UPDATE knows no ON CONFLICT: two that grow into each other's slots, or one beside bookings, would wait for each other
 * and deadlock. So the time is taken as every slot is, by an insert that waits for rivals with empty hands and then yields,
 * and the row that took it goes again before anyone sees it.
 */
export async function takeTimeAfter(
  em: EntityManager,
  appointment: AppointmentRow,
  { until, takenBy, now }: { until: Date; takenBy: string; now: Date },
) {
  const { tenantId, blockUntil: from } = appointment;
  const id = uuidv7();
  const times = { startsAt: from, blockFrom: from, endsAt: until, blockUntil: until };
  const insert = () => insertAppointment(em, { ...appointment, ...times, id, externalId: null }, now);
  const slot = { ...appointment, ...times, takenBy };
  const isTaken = (await insert()) ?? ((await freeHolds(em, [slot])) ? await insert() : null);
  if (!isTaken) return false;
  await em.nativeDelete(AppointmentEntity, { tenantId, id });
  return true;
}
