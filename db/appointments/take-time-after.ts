import { uuidv7 } from 'uuidv7';
import { AppointmentEntity, type AppointmentRow } from '../entities/appointment.entity.ts';
import type { EntityManager } from '../connection/open-database.ts';
import { takingTime } from '../../domain/appointments/taking-time.ts';
import { lockProfessionals } from '../clinic/professionals.ts';
import { freeHolds } from './slot-holds.ts';
import { insertAppointment } from './insert-appointments.ts';

/**
 * Whether the professional is free from the end of a locked appointment (with its buffer) until `until`. If so, this
 * time is reserved for the transaction, and the appointment may be extended.
 *
 * UPDATE has no ON CONFLICT, so two extensions into each other's slots, or an extension and a booking, would deadlock.
 * So the time is taken with an insert, like every slot: the insert waits for concurrent transactions without holding a
 * lock. The inserted row is deleted before the commit. No constraint keeps bookings from an appointment that may overlap
 * others, so they have to wait for its professional.
 */
export async function takeTimeAfter(
  em: EntityManager,
  appointment: AppointmentRow,
  { until, takenBy, now }: { until: Date; takenBy: string; now: Date },
) {
  const { tenantId, blockUntil: from } = appointment;
  const id = uuidv7();
  const times = { startsAt: from, blockFrom: from, endsAt: until, blockUntil: until };
  if (appointment.blocksOver)
    await lockProfessionals(em, tenantId, [appointment.professionalId], { isForOverlap: true });
  const own = { ...takingTime(), ...times, id, externalId: null };
  const insert = () => insertAppointment(em, { ...appointment, ...own }, now);
  const slot = { ...appointment, ...times, takenBy };
  const isTaken = (await insert()) ?? ((await freeHolds(em, [slot])) ? await insert() : null);
  if (!isTaken) return false;
  await em.nativeDelete(AppointmentEntity, { tenantId, id });
  return true;
}
