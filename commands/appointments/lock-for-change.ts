import { lockAppointment, type LockedAppointment } from '../../db/appointments/find-appointment.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { requireFound } from '../require-found.ts';

export interface AppointmentToChange {
  tenantId: string;
  appointmentId: string;
  /** The version from `If-Match`. */
  expectedVersion?: number;
  /** False for a caller who may not read appointments, true by default. */
  mayRead?: boolean;
}

/** Locks an appointment until the transaction ends. Errors: `not_found`, `version_mismatch`. */
export async function lockForChange(
  em: EntityManager,
  { tenantId, appointmentId, expectedVersion }: AppointmentToChange,
): Promise<LockedAppointment> {
  const found = await lockAppointment(em, tenantId, appointmentId);
  const locked = requireFound(found, 'appointment', appointmentId);
  const { version } = locked.appointment;
  if (expectedVersion !== undefined && expectedVersion !== version) {
    throw new ServiceError(
      'version_mismatch',
      'The appointment has changed since you read it. Read it again, then retry.',
      {
        extras: { version },
      },
    );
  }
  return locked;
}
