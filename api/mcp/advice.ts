import type { ErrorCode } from '../../domain/error-codes.ts';

/** What an agent is to do after a refusal; most refusals say it themselves. */
export const ADVICE: Partial<Record<ErrorCode, string>> = {
  hold_expired:
    'The hold is over and the time is gone. Offer the alternatives, and book the one that is chosen.',
  hold_limit_reached: 'Book one of the times that are held, or go on without holding this one.',
  slot_conflict:
    'Somebody else has this time, or holds it. Offer the alternatives, and book the one that is chosen.',
  outside_hours: 'Nobody works then. Offer the alternatives, and book the one that is chosen.',
  already_booked: 'It is booked: `appointmentId`. Tell the patient so, and do not book again.',
  invalid_status_transition:
    'Tell the patient how the appointment stands (`from`), and ask what is wanted instead.',
  appointment_rescheduled: 'It was moved before: go on with the appointment `rescheduledToId`.',
  starts_in_past: 'Ask for a time that is still to come.',
  professional_inactive:
    'This professional takes no bookings. Ask with whom else it may be, and search again.',
  external_id_conflict: 'Leave `externalId` out, or use another one.',
  clinic_inactive: 'The clinic takes nothing any more. Say so, and change nothing.',
  service_not_offered: 'Use list_services to see who offers it, and ask with whom else it may be.',
  not_found: 'Do not guess an id: find the appointment by the patient’s phone, or ask for the id again.',
  validation_failed: 'Mend the fields that are named and call again; ask the patient for what is missing.',
  insufficient_scope: 'This key may not do that. Say that somebody of the clinic has to, and go on.',
  idempotency_key_reused: 'Nothing was done. Send this call again with a new Idempotency-Key.',
  idempotency_in_progress: 'Send the same call again with the same Idempotency-Key.',
  clinic_limit_reached:
    'The clinic can store no more. Say that somebody of the clinic has to see to it, and go on.',
  rate_limited: 'Wait a moment and call again.',
  temporarily_unavailable: 'Wait two seconds and call again, at most three times; then offer a call back.',
};
