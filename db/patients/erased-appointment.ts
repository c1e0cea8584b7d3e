import type { AppointmentRow } from '../entities/appointment.entity.ts';

/** The hash of the phone gives way to one that is no one's; the rest tells of no one without a patient. */
type Staying =
  | ('id' | 'tenantId' | 'professionalId' | 'serviceTypeId' | 'patientPhoneHash' | 'status' | 'source')
  | ('startsAt' | 'endsAt' | 'blockFrom' | 'blockUntil' | 'blocks' | 'ownLength' | 'cancellationReason')
  | ('checkedInAt' | 'reinstatedAt' | 'callId' | 'rescheduledToId' | 'rescheduledFromId')
  | ('version' | 'createdAt' | 'updatedAt');

/** What becomes of all that does not stay of an appointment whose patient, or clinic, is erased. */
export const ERASED_APPOINTMENT: Omit<AppointmentRow, Staying> = {
  patientName: null,
  patientNotes: null,
  metadata: null,
  externalId: null,
  patientExternalId: null,
};
