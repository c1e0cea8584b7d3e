import { uuidv7 } from 'uuidv7';
import { AppointmentEntity, type AppointmentRow } from '../entities/appointment.entity.ts';
import type { EntityManager } from '../connection/open-database.ts';
import { freeHolds } from './slot-holds.ts';
import { insertAppointment } from './insert-appointments.ts';

/**
 * Whether the professional is free from the end of a locked appointment's block until `until`. If so, the time is
 * reserved for this transaction, and the appointment may be extended.
 *
 * UPDATE has no ON CONFLICT: two extensions into each other's slots, or one next to a booking, would deadlock. So the
 * time is taken by an insert, like every slot: it waits for concurrent transactions without holding a lock and then
 * gives up. The inserted row is deleted before anyone sees it.
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
