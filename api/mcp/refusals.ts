import type { ErrorCode } from '../../domain/error-codes.ts';
import type { FieldProblem } from '../../domain/service-error.ts';

type Body = Readonly<Record<string, unknown>>;

/** The refusal of an operation in the terms of a tool: it names arguments, and says what to do next. */
export function refusalOfTool(body: Body): Body {
  const { error, message, errors } = body as { error: ErrorCode; message: string; errors?: FieldProblem[] };
  const named = errors?.map((problem) => ({ ...problem, path: argumentNames(problem.path) }));
  return {
    ...body,
    message: argumentNames(message),
    ...(named && { errors: named }),
    next: nextAfter(error, named ?? []),
  };
}

/** An argument has no place in a request: `weekdays` for `body.weekdays`. */
function argumentNames(text: string): string {
  return text.replaceAll(/\b(?:body|query|path)\.(?=\w)/g, '');
}

function nextAfter(error: ErrorCode, errors: readonly FieldProblem[]): string {
  const names = new Set(errors.map(({ path }) => path.split('.')[0] ?? ''));
  const questions = [...names].flatMap((name) => QUESTIONS[name] ?? []);
  if (error === 'validation_failed' && questions.length > 0)
    return [...new Set(questions)].slice(0, MAX_QUESTIONS).join(' ');
  return ADVICE[error] ?? 'Say that it did not work, and offer a call back by the clinic’s staff.';
}

/** More at once would not be asked. */
const MAX_QUESTIONS = 3;

/** How to get the value of an argument that is missing or wrong. */
const QUESTIONS: Readonly<Record<string, string>> = {
  patientPhone: 'Ask the patient for their phone number, with the country code if it is a foreign one.',
  patientName: 'Ask the patient for their full name.',
  startsAt: 'Ask for a day and time, search with find_times, and pass `startsAt` of the result unchanged.',
  serviceTypeId: 'Call list_services, and ask the patient which service they want.',
  serviceTypeIds: 'Call list_services, and ask the patient which service they want.',
  professionalId: 'Pass `professionalId` of a result of find_times, or call list_professionals.',
  professionalIds: 'Call list_professionals, and pass IDs of its result.',
  holdId: 'Pass the `id` of the result of hold_time for the same time, or leave `holdId` out.',
  callId: 'Pass the ID of the current call, or leave `callId` out.',
  weekdays: 'Ask for days of the week, and pass them as `mon` to `sun`.',
  partOfDay: 'Ask whether it should be in the morning, afternoon or evening.',
  notBefore: 'Ask from which hour on, and pass it as `HH:MM`.',
  notAfter: 'Ask until which hour, and pass it as `HH:MM`.',
  from: 'Ask for a date, work it out from `now`, and pass it with an offset.',
  to: 'Ask for a date, work it out from `now`, and pass it with an offset.',
  id: 'Call find_appointments with the patient’s phone, and pass the `id` of its result.',
  reason: 'Leave `reason` out, or pass one of the values named.',
};

/** What an agent should do after a refusal. */
const ADVICE: Partial<Record<ErrorCode, string>> = {
  hold_expired:
    'The hold has expired and the time is taken. Offer the alternatives, and book the one that the patient chooses.',
  hold_limit_reached: 'Book one of the held times, or continue without holding this time.',
  slot_conflict:
    'If this call has already held or booked this time, go on with that. Otherwise offer the alternatives, and book the one that the patient chooses.',
  outside_hours:
    'This time is outside the hours. Offer the alternatives, and book the one that the patient chooses.',
  already_booked:
    'The appointment is already booked (`appointmentId`). Tell the patient, and do not book again.',
  invalid_status_transition: 'Tell the patient the current status (`from`), and ask what to do instead.',
  appointment_rescheduled:
    'The appointment was already rescheduled. Use the appointment with the ID in `rescheduledToId`.',
  starts_in_past:
    'Work the date out again from `now`. Ask for a day and time in the future, and search with find_times.',
  professional_inactive:
    'This professional takes no bookings. Ask for another professional, and search again.',
  external_id_conflict: 'Leave `externalId` out, or use another one.',
  clinic_inactive: 'The clinic no longer takes bookings. Say so, and change nothing.',
  service_not_offered: 'Use list_services to see who offers it, and ask for another professional.',
  not_found: 'Do not guess an ID. Find the appointment by the patient’s phone, or ask for the ID again.',
  validation_failed: 'Correct the named arguments and call again. Ask the patient for missing information.',
  insufficient_scope:
    'This key has no permission for that. Say that the clinic’s staff must do it, and continue.',
  idempotency_key_reused: 'Nothing was done. Send this call again with a new Idempotency-Key.',
  idempotency_in_progress: 'Send the same call again with the same Idempotency-Key.',
  clinic_limit_reached:
    'The clinic has reached its storage limit. Say that the clinic’s staff must deal with it, and continue.',
  rate_limited: 'Wait a moment and call again.',
  temporarily_unavailable: 'Wait two seconds and call again, at most three times; then offer a call back.',
};
