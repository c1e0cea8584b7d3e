import { readPhoneNumber, readPossibleNumber } from '../../adapters/phones/read-phone-number.ts';
import { isStandIn } from '../../domain/calls/withheld-number.ts';
import { E164 } from '../../domain/phone-number.ts';
import { fieldError, ServiceError } from '../../domain/service-error.ts';
import { hasScope, type Caller } from '../contract/caller.ts';
import { notePastFrom, notePastTo, refusePastRange, refusePastStart } from './past-times.ts';
import type { Arguments } from './read-arguments.ts';
import type { OperationTool, ToolRequest } from './tool.ts';

const STARTS_AT =
  'When it starts, in the future, with an offset: `startsAt` of a result of find_times, unchanged.';
const PHONE =
  'The patient’s phone number, as they say it. Without a country code, it is read as a number of the clinic’s country.';

/** The receptionist's tools. Each tool is defined by the route that it calls. */
export const RECEPTION_TOOLS: readonly OperationTool[] = [
  {
    name: 'briefing',
    title: 'Get a briefing for the call',
    operationId: 'getCallBriefing',
    isReadOnly: true,
    description:
      'Everything to know as you pick up a call, by the ID of the call: the clinic, the current time, whether it is open, the greeting, the services and the next appointments from the caller’s phone. Call this tool once, before you speak. Several patients can share a phone, so ask for the name before you read out an appointment. Transfer the call only to `transferTo`.',
  },
  {
    name: 'list_services',
    title: 'List the services',
    operationId: 'listServices',
    isReadOnly: true,
    description:
      'The services of the clinic with their duration, who offers them, and the ID that other tools take as `serviceTypeId`. Call this tool once, at the start of a conversation.',
  },
  {
    name: 'list_professionals',
    title: 'List the professionals',
    operationId: 'listProfessionals',
    isReadOnly: true,
    description:
      'The professionals of the clinic, with the ID that other tools take as `professionalId`. Needed only when the patient asks for a professional by name.',
  },
  {
    name: 'find_times',
    title: 'Find free times',
    operationId: 'searchAvailability',
    isReadOnly: true,
    reads: refusePastRange,
    notes: notePastFrom,
    description:
      'The soonest free times of a service that fit what the patient said: days of the week, part of the day, not before or after an hour. Pass `serviceTypeId` or `serviceTypeIds`. Read `spoken` to the patient word for word, and keep `startsAt` and `professionalId` for `hold_time`, `book` or `move`. Pass `ignoreAppointmentId` to reschedule an appointment, and `spread: days` when the patient has no preference. If nothing is found, ask for another day or another time of day.',
  },
  {
    name: 'find_appointments',
    title: 'Find a patient’s appointments',
    operationId: 'searchAppointments',
    takes: ['patientPhone', 'patientExternalId', 'from', 'to', 'status', 'limit', 'cursor'],
    describes: { patientPhone: `${PHONE} Use this or \`patientExternalId\`.` },
    isReadOnly: true,
    reads: readPhone,
    notes: notePastTo,
    description:
      'The appointments of the patient with a phone number. Several patients can share a phone, so ask for the name before you read anything out. Pass `status: confirmed` and `from` (now) for upcoming appointments.',
  },
  {
    name: 'hold_time',
    title: 'Hold a time',
    operationId: 'holdSlot',
    takes: ['professionalId', 'serviceTypeId', 'startsAt', 'ttlSeconds', 'callId'],
    describes: { startsAt: STARTS_AT },
    isReadOnly: false,
    reads: refusePastStart,
    description:
      'Holds a free time while the patient decides or spells a name. By default, for five minutes. Pass the `id` of the result as `holdId` to `book` or `move`. Pass `callId`, so the time becomes free when the call ends. Safe to repeat with the same `callId`.',
  },
  {
    name: 'book',
    title: 'Book an appointment',
    operationId: 'bookAppointment',
    takes: [
      'professionalId',
      'serviceTypeId',
      'startsAt',
      'patientName',
      'patientPhone',
      'holdId',
      'callId',
      'endsAt',
      'patientNotes',
      'externalId',
      'patientExternalId',
      'respectHours',
    ],
    needs: ['serviceTypeId'],
    describes: {
      serviceTypeId: 'An active service that the professional offers.',
      startsAt: STARTS_AT,
      patientPhone: PHONE,
      respectHours:
        'By default, true: a time outside the hours of the clinic or the professional, or in a busy block, is refused. False only when the clinic’s staff have agreed to it.',
    },
    isReadOnly: false,
    reads: (given, asked) => readPossiblePhone(refusePastStart(given, asked), asked),
    defaults: bookedBy,
    description:
      'Books a free time. If it is held, pass `holdId`. Repeat day, time, professional and name to the patient and get a yes first. Safe to repeat: if the same booking exists, the tool returns `already_booked` with its ID, and you can treat it as booked.',
  },
  {
    name: 'move',
    title: 'Move an appointment',
    operationId: 'changeAppointment',
    takes: ['id', 'startsAt', 'professionalId', 'callId', 'holdId'],
    needs: ['startsAt'],
    describes: {
      startsAt: `The new start. ${STARTS_AT}`,
      professionalId: 'The professional for the new time. By default, the same one.',
      callId: 'The call in which it is rescheduled.',
      holdId: 'The hold for the new time, with the same professional and start.',
    },
    isReadOnly: false,
    reads: refusePastStart,
    told: refuseReplaced,
    defaults: () => ({ respectHours: true }),
    description:
      'Reschedules an appointment. If the new time is held, pass `holdId`. The result contains the old appointment, now `rescheduled`, and its `replacement` with a new ID: use the new ID from now on.',
  },
  {
    name: 'cancel',
    title: 'Cancel an appointment',
    operationId: 'changeAppointment',
    takes: ['id', 'reason'],
    describes: { reason: 'By default, `patient_requested`.' },
    isReadOnly: false,
    defaults: () => ({ status: 'cancelled', reason: 'patient_requested' }),
    description:
      'Cancels an appointment and frees its time. First ask whether the patient would prefer another time, and get a yes.',
  },
];

/**
 * The default fields of an agent's booking: within opening hours and, if the key may set the source, with `voice_ai`.
 */
function bookedBy(caller: Caller) {
  return { respectHours: true, ...(hasScope(caller, 'appointments:source') && { source: 'voice_ai' }) };
}

/** A move of a replaced appointment to its own old time changes nothing, but would sound like a move. */
async function refuseReplaced(body: object): Promise<object> {
  const { status, replacement, rescheduledToId } = body as Record<string, unknown>;
  if (status !== 'rescheduled' || replacement !== undefined) return body;
  throw new ServiceError('appointment_rescheduled', 'This appointment was rescheduled before.', {
    extras: { rescheduledToId },
  });
}

/** Reads a number as people say it. Rejects a number that carriers send for all withheld numbers. */
function readPhone(given: Arguments, { clinic }: Pick<ToolRequest, 'clinic'>): Arguments {
  const { patientPhone: said } = given;
  if (typeof said !== 'string') return given;
  const patientPhone = readPhoneNumber(said, clinic.country) ?? said;
  if (isStandIn(patientPhone) || isStandIn(said.trim()))
    throw fieldError(
      'patientPhone',
      '`patientPhone` means that the number is withheld. It is no patient’s phone.',
    );
  return { ...given, patientPhone };
}

/** Reads a phone number like `readPhone`, and rejects numbers that cannot exist. */
function readPossiblePhone(given: Arguments, asked: Pick<ToolRequest, 'clinic'>): Arguments {
  const read = readPhone(given, asked);
  const { patientPhone } = read;
  if (typeof patientPhone === 'string' && E164.test(patientPhone) && !readPossibleNumber(patientPhone, ''))
    throw fieldError('patientPhone', '`patientPhone` is not a possible phone number.');
  return read;
}
