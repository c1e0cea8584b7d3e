import type { AppointmentRow } from '../entities/appointment.entity.ts';

/**
 * Columns that an erasure keeps. The phone hash is replaced by a random one; the other
 * columns are not personal without a patient.
 */
type Staying =
  | ('id' | 'tenantId' | 'professionalId' | 'serviceTypeId' | 'patientPhoneHash' | 'status' | 'source')
  | ('startsAt' | 'endsAt' | 'blockFrom' | 'blockUntil' | 'blocks' | 'ownLength')
  | ('overlap' | 'blocksOver' | 'cancellationReason')
  | ('checkedInAt' | 'reinstatedAt' | 'callId' | 'rescheduledToId' | 'rescheduledFromId')
  | ('version' | 'createdAt' | 'updatedAt' | 'acknowledgedVersion' | 'acknowledgedState' | 'acknowledgedAt')
  | 'patientConfirmedAt';

/** The values of the other columns when the patient or the clinic is erased. */
export const ERASED_APPOINTMENT: Omit<AppointmentRow, Staying> = {
  patientName: null,
  patientNotes: null,
  metadata: null,
  externalId: null,
  patientExternalId: null,
  refusalReason: null,
};
