import { findFreeSlots, offeredBy } from '../../commands/appointments/free-times/find-free-slots.ts';
import { serviceOfMove } from '../../commands/appointments/reschedule-appointment.ts';
import { findOffering } from '../../db/appointments/find-offering.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import type { FreeSlot } from '../../domain/appointments/availability.ts';
import type { TimeRange } from '../../domain/appointments/slot.ts';

interface WantedTimes {
  tenantId: string;
  serviceTypeId: string;
  /** The professional to search; everyone by default. */
  professionalId: string | undefined;
  range: TimeRange;
}

/** A service's free times for patients, earliest first; none when it is not offered. */
export async function findTimesToBook(
  em: EntityManager,
  { tenantId, serviceTypeId, professionalId, range }: WantedTimes,
  now: Date,
): Promise<Iterable<FreeSlot>> {
  const offering = await findOffering(em, tenantId, serviceTypeId);
  if (!offering) return [];
  const { tenantConfig } = offering;
  const offers = [offeredBy(offering, professionalId === undefined ? undefined : [professionalId])];
  const question = { tenantId, tenantConfig, offers, range, isForPatients: true };
  return findFreeSlots(em, question, now);
}

/**
 * Free times for patients to which an appointment can be moved with a professional.
 * @throws ServiceError `service_not_offered`, `professional_inactive`, `validation_failed`
 */
export async function findTimesToMove(
  em: EntityManager,
  appointment: AppointmentRow,
  { professionalId, range }: { professionalId: string; range: TimeRange },
  now: Date,
): Promise<Iterable<FreeSlot>> {
  const { tenantId, serviceTypeId } = appointment;
  const service = await serviceOfMove(em, appointment, { professionalId, serviceTypeId });
  const { tenantConfig } = service;
  const offers = [{ ...service, serviceTypeId, professionals: [{ ...service, id: professionalId }] }];
  const question = { tenantId, tenantConfig, offers, range, isForPatients: true };
  return findFreeSlots(em, question, now);
}
